import type { Middleware, Reducer, UnknownAction } from '@reduxjs/toolkit';

/** Two middlewares that share the present: `seenBy` wraps the sagas', `fold` comes last, after whatever changes actions. */
export interface LiveState {
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
