import { createAction, type DevToolsEnhancerOptions, type Store, type UnknownAction } from '@reduxjs/toolkit';
import { rootReducer, type RootState } from '@app/rootReducer';
import type { DevTools } from '@app/store';
import { actionCauses } from './actionCauses';
import type { RateGuard } from './rateGuard';
import { readable } from './readable';
import type { TimeTravelPage } from './timeTravelPage';

export { createTimeTravelPage } from './timeTravelPage';

/**
 * What Redux DevTools may do. With lock, dispatch or reorder, sagas and reducers would see different events. Skip would change
 * nothing (docs/decisions.md).
 */
const options = {
  name: 'Vestibule',
  maxAge: 200,
  // None for actions: of an action that is changed for the panel, the extension sends neither the trace nor the time.
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

/** Reset, Commit or an import has rewritten the log: its end is the present again. */
const presentShown = createAction('devTools/presentShown');

/**
 * Keeps the present state next to the one that DevTools shows, which is what `getState` returns under its enhancer. The
 * present is reduced from the actions as they pass. Each action keeps its resulting state, so that the log shows that state
 * after a skip, commit, reset or import, and no state is computed twice.
 *
 * @param guard - in development, where DevTools also keeps a trace of each event
 */
export function createDevTools(page: TimeTravelPage, guard?: RateGuard): DevTools {
  let present = rootReducer(undefined, { type: '@@live/init' });
  let dispatching = 0;
  const ledTo = new WeakMap<object, RootState>();
  const causes = actionCauses();

  return {
    options: { ...options, trace: guard !== undefined },
    monitor: causes.monitor,
    reducer: (state, action) => ledTo.get(action) ?? rootReducer(state, action),
    seenBy: (middleware) => (api) => middleware({ ...api, getState: () => present }),
    record: () => (next) => (dispatched) => {
      const action = withCause(dispatched as UnknownAction, causes.of(dispatched as object));
      // Before the store: what its subscribers dispatch meanwhile comes after this action.
      present = rootReducer(present, action);
      ledTo.set(action, present);
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

/** What the store of the extension has besides the store's own, as far as it is used here. */
interface Lifted {
  readonly liftedStore?: {
    readonly getState: () => {
      readonly currentStateIndex: number;
      readonly computedStates: readonly unknown[];
      readonly isLocked: boolean;
    };
  };
}

/** The log's end is shown, and it is not the present. */
function isLogRewritten(store: Store<RootState> & Lifted, present: RootState): boolean {
  const lifted = store.liftedStore?.getState();
  if (!lifted || lifted.isLocked || store.getState() === present) return false;
  return lifted.currentStateIndex === lifted.computedStates.length - 1;
}
