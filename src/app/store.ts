import { configureStore, type DevToolsEnhancerOptions, type Middleware, type Store } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import createSagaMiddleware, { type SagaMonitor } from 'redux-saga';
import { createEventLog } from './crash/eventLog';
import { rootSaga } from './root.saga';
import { rootReducer, type RootState } from './rootReducer';

/** What the store needs if Redux DevTools may connect to it. */
export interface DevTools {
  readonly options: DevToolsEnhancerOptions;
  readonly monitor: SagaMonitor;
  readonly reducer: typeof rootReducer;
  /** Wraps the middleware of the sagas, so that they read the present. */
  readonly seenBy: (middleware: Middleware) => Middleware;
  /** The last middleware: it comes after all that change actions. */
  readonly record: Middleware;
  readonly watch: (deps: Deps) => Deps;
  /** Makes the page follow the jumps of DevTools. Call it when the store exists. */
  readonly follow: (store: Store<RootState>) => void;
}

/**
 * Makes the store and starts nothing, so that the build can render the first step of `/login` without a browser.
 *
 * @param devTools - absent if Redux DevTools may not connect
 */
export function createAppStore(devTools?: DevTools) {
  const sagas = createSagaMiddleware(devTools && { sagaMonitor: devTools.monitor });
  let now = (): number => 0;
  const log = createEventLog(rootReducer, () => now());
  const store = configureStore({
    reducer: devTools ? devTools.reducer : rootReducer,
    middleware: (getDefaultMiddleware) =>
      getDefaultMiddleware({ thunk: false }).concat(
        ...(devTools ? [devTools.seenBy(sagas), redactSecrets, devTools.record] : [sagas, redactSecrets]),
        log.record,
      ),
    devTools: devTools ? devTools.options : false,
  });
  devTools?.follow(store);
  return {
    store,
    log,
    start: (deps: Deps) => {
      now = deps.clock.now;
      return sagas.run(rootSaga, devTools ? devTools.watch(deps) : deps);
    },
  };
}

export type AppStore = ReturnType<typeof createAppStore>['store'];

const redacted = '[redacted]';

/**
 * Takes `meta.secret` out of an action before any reducer or DevTools sees it (docs/behaviour.md#state-and-secrets). It comes
 * after the saga middleware, because sagas use the secret.
 */
export const redactSecrets: Middleware = () => (next) => (action) =>
  next(carriesSecret(action) ? redact(action) : action);

interface SecretAction {
  readonly meta: { readonly secret: unknown };
}

function carriesSecret(action: unknown): action is SecretAction {
  if (typeof action !== 'object' || action === null || !('meta' in action)) return false;
  return typeof action.meta === 'object' && action.meta !== null && 'secret' in action.meta;
}

const redact = (action: SecretAction): SecretAction => ({
  ...action,
  meta: { ...action.meta, secret: redacted },
});
