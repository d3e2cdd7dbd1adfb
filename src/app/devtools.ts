import type { DevToolsEnhancerOptions } from '@reduxjs/toolkit';

/**
 * What Redux DevTools may do. Jumping is safe: screens are functions of the store. Lock, skip, reorder, dispatch and
 * import are off, because sagas would still act, or not act, on what reducers no longer see (docs/decisions.md).
 */
export const devToolsOptions: DevToolsEnhancerOptions = {
  name: 'Vestibule',
  maxAge: 200,
  trace: true,
  features: {
    jump: true,
    pause: true,
    export: true,
    lock: false,
    persist: false,
    import: false,
    skip: false,
    reorder: false,
    dispatch: false,
    test: false,
  },
};
