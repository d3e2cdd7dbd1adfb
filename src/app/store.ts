import {
  configureStore,
  type DevToolsEnhancerOptions,
  type Middleware,
  type Reducer,
  type UnknownAction,
} from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import createSagaMiddleware from 'redux-saga';
import { rootSaga } from './root.saga';
import { rootReducer } from './rootReducer';

/**
 * Makes the store, without starting anything: rendering with it touches no port, so that the first step of `/login`
 * can be rendered without a browser.
 */
export function createAppStore({ devTools }: { readonly devTools: boolean }) {
  const sagas = createSagaMiddleware();
  const live = devTools && createLiveState(rootReducer);
  const store = configureStore({
    reducer: rootReducer,
    middleware: (getDefaultMiddleware) =>
      getDefaultMiddleware({ thunk: false }).concat(
        ...(live ? [live.seenBy(sagas), redactSecrets, live.fold] : [sagas, redactSecrets]),
      ),
    devTools: devTools && devToolsOptions,
  });
  return { store, start: (deps: Deps) => sagas.run(rootSaga, deps) };
}

/** The store of the application. */
export type AppStore = ReturnType<typeof createAppStore>['store'];

/**
 * What Redux DevTools may do. Jumping is safe: screens are functions of the store. Lock, skip, reorder, dispatch and
 * import are off, because sagas would still act, or not act, on what reducers no longer see (docs/decisions.md).
 */
const devToolsOptions: DevToolsEnhancerOptions = {
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

/** Two middlewares that share the present: `seenBy` wraps the sagas', `fold` comes last, after all middlewares that change actions. */
interface LiveState {
  readonly seenBy: (middleware: Middleware) => Middleware;
  readonly fold: Middleware;
}

/**
 * Lets sagas read the present while Redux DevTools shows the past: under its enhancer `getState` answers with the state
 * that is shown. So the present is kept beside it, folded from the actions as they pass, and `select` in a saga means now.
 * Only for a store that DevTools may connect to: it computes every state twice.
 */
export function createLiveState<State>(reducer: Reducer<State>): LiveState {
  let state = reducer(undefined, { type: '@@live/init' });
  return {
    seenBy: (middleware) => (api) => middleware({ ...api, getState: () => state }),
    fold: () => (next) => (action) => {
      // Before the store: what its subscribers dispatch meanwhile comes after this action.
      state = reducer(state, action as UnknownAction);
      return next(action);
    },
  };
}

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
