import { configureStore, type DevToolsEnhancerOptions, type Middleware, type Store } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import createSagaMiddleware, { type SagaMonitor } from 'redux-saga';
import { createEventLog } from './crash/eventLog';
import { rootSaga } from './root.saga';
import { rootReducer, type RootState } from './rootReducer';

/** What a store needs that Redux DevTools may connect to. */
export interface DevTools {
  readonly options: DevToolsEnhancerOptions;
  readonly monitor: SagaMonitor;
  readonly reducer: typeof rootReducer;
  /** Wraps the middleware of the sagas, so that they read the present. */
  readonly seenBy: (middleware: Middleware) => Middleware;
  /** The last middleware, after whatever changes actions. */
  readonly record: Middleware;
  readonly watch: (deps: Deps) => Deps;
  /** Follows the jumps, once the store is made. */
  readonly follow: (store: Store<RootState>) => void;
}

/**
 * Makes the store, without starting anything: rendering with it touches no port, so that the first step of `/login`
 * can be rendered without a browser.
 *
 * @param devTools - where Redux DevTools may connect
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

/** The store of the application. */
export type AppStore = ReturnType<typeof createAppStore>['store'];

/** Replaces a secret. */
const redacted = '[redacted]';

/**
 * Takes `meta.secret` out of an action before any reducer or DevTools sees it
 * (docs/behaviour.md#state-and-secrets). Comes after the saga middleware, which gives sagas the secret, and before
 * everything that reduces the action.
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
