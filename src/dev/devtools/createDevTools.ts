import { createAction, type DevToolsEnhancerOptions, type Store, type UnknownAction } from '@reduxjs/toolkit';
import { rootReducer, type RootState } from '@app/rootReducer';
import type { DevTools } from '@app/store';
import { actionCauses } from './actionCauses';
import type { RateGuard } from './rateGuard';
import { readable } from './readable';
import type { TimeTravelPage } from './timeTravelPage';

export { createTimeTravelPage } from './timeTravelPage';

/**
 * What Redux DevTools may do. Lock, dispatch and reorder would give sagas and reducers different events. Skip would have no
 * effect, because each action keeps its state (docs/decisions.md#sagas-see-the-present-while-devtools-shows-the-past).
 */
const options = {
  name: 'Vestibule',
  maxAge: 200,
  // There is no `actionSanitizer`, because the extension sends a changed action without its trace and time.
  stateSanitizer: readable,
  features: {
    jump: true,
    pause: true,
    export: true,
    import: true,
    lock: false,
    persist: false,
    skip: false,
    reorder: false,
    dispatch: false,
    test: false,
  },
} satisfies DevToolsEnhancerOptions;

/** Reset, Commit or an import has changed the log. This action puts the present at its end. */
const presentShown = createAction('devTools/presentShown');

/**
 * Keeps the present state. Under the enhancer of DevTools, `getState` returns the state that is shown. The present is reduced
 * from the actions as they pass. Each action keeps its resulting state, so that the log shows that state after a skip,
 * commit, reset or import, and no state is computed twice.
 *
 * @param guard - in development, where DevTools also keeps a trace of each event
 */
export function createDevTools(page: TimeTravelPage, guard?: RateGuard): DevTools {
  let present = rootReducer(undefined, { type: '@@live/init' });
  let dispatching = 0;
  const stateAfter = new WeakMap<object, RootState>();
  const causes = actionCauses();

  return {
    options: { ...options, trace: guard !== undefined },
    monitor: causes.monitor,
    reducer: (state, action) => stateAfter.get(action) ?? rootReducer(state, action),
    seenBy: (middleware) => (api) => middleware({ ...api, getState: () => present }),
    record: () => (next) => (dispatched) => {
      const action = withCause(dispatched as UnknownAction, causes.of(dispatched as object));
      // The present changes before the store does, because subscribers of the store may dispatch further actions.
      present = rootReducer(present, action);
      stateAfter.set(action, present);
      guard?.count(action.type);
      dispatching += 1;
      try {
        return next(action);
      } finally {
        dispatching -= 1;
      }
    },
    watch: (deps) => {
      guard?.start(deps);
      return causes.watch({ ...deps, navigation: page.navigation });
    },
    follow: (store) => {
      store.subscribe(() => {
        if (isLogRewritten(store, present)) store.dispatch(presentShown());
        const shown = store.getState();
        const isPast = shown !== present;
        const { location } = shown.page;
        const isElsewhere = isPast && location.key !== present.page.location.key;
        page.showAddress(isElsewhere ? location.pathname + location.search : null);
        if (dispatching === 0) page.holdFocus(true);
        else if (!isPast) page.holdFocus(false);
      });
    },
  };
}

const withCause = <A extends UnknownAction>(action: A, cause: string): A => ({
  ...action,
  meta: { ...(action['meta'] as object | undefined), cause },
});

/** The members that DevTools adds to a store, as far as they are used here. */
interface Lifted {
  readonly liftedStore?: {
    readonly getState: () => {
      readonly currentStateIndex: number;
      readonly computedStates: readonly unknown[];
      readonly isLocked: boolean;
    };
  };
}

/** Whether the log was changed: its last state is shown, and it is not the present state. */
function isLogRewritten(store: Store<RootState> & Lifted, present: RootState): boolean {
  const lifted = store.liftedStore?.getState();
  if (!lifted || lifted.isLocked || store.getState() === present) return false;
  return lifted.currentStateIndex === lifted.computedStates.length - 1;
}
