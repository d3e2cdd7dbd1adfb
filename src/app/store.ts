import { configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import type { Deps } from '@shared/deps';
import { devToolsOptions } from './devtools';
import { createLiveState } from './liveState';
import { redactSecrets } from './redactSecrets';
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
