import { ActionCreators, instrument, type EnhancedStore } from '@redux-devtools/instrument';
import type { StoreEnhancer, StoreEnhancerStoreCreator } from '@reduxjs/toolkit';

/**
 * Replaces the DevTools extension from the moment it is imported: Redux Toolkit looks for the extension
 * when it is loaded, so this must be a test's first import.
 */
let connected: EnhancedStore<unknown, { readonly type: string }, null> | null = null;

const recorder: StoreEnhancer = (createStore) => (reducer, state) => {
  const store = instrument()(createStore)(reducer, state);
  connected = store;
  return store;
};

/** Composed like the extension: itself innermost, so that it sees what reducers see. */
const composeAsExtension =
  (_options: unknown) =>
  (...enhancers: readonly StoreEnhancer[]) =>
  (createStore: StoreEnhancerStoreCreator): StoreEnhancerStoreCreator =>
    [...enhancers, recorder].reduceRight<StoreEnhancerStoreCreator>(
      (made, enhance) => enhance(made),
      createStore,
    );

Object.defineProperty(globalThis, '__REDUX_DEVTOOLS_EXTENSION_COMPOSE__', { value: composeAsExtension });

/** One recorded step: what was dispatched, and the resulting state. */
export interface RecordedStep {
  readonly action: unknown;
  readonly state: unknown;
  /** When, ms since the epoch. */
  readonly at: number;
}

/** The history that the extension shows of the store that was created last. */
export const recording = {
  steps: (): readonly RecordedStep[] => {
    const { computedStates, stagedActionIds, actionsById } = lifted().getState();
    return stagedActionIds.map((id, index) => ({
      action: actionsById[id]?.action,
      state: computedStates[index]?.state,
      at: actionsById[id]?.timestamp ?? 0,
    }));
  },
  /** The user moves the slider to a step. */
  jumpTo: (index: number): void => {
    lifted().dispatch(ActionCreators.jumpToState(index));
  },
  /** The numbers of the steps, which tell them apart also when others have been forgotten. */
  ids: (): readonly number[] => lifted().getState().stagedActionIds,
  /** Whether the end of the log is shown. */
  isAtEnd: (): boolean => {
    const { currentStateIndex, computedStates } = lifted().getState();
    return currentStateIndex === computedStates.length - 1;
  },
  /** The state at the end of the log, whatever is shown. */
  present: (): unknown => lifted().getState().computedStates.at(-1)?.state,
  /** Everything that is held, as an export has it. */
  exported: (): string => JSON.stringify(lifted().getState()),
  /** Any other thing that the person can do there: toggle, commit, reset, import. */
  rewrite: (change: Parameters<ReturnType<typeof lifted>['dispatch']>[0]): void => {
    lifted().dispatch(change);
  },
  /** Returns to the live state. */
  jumpToEnd: (): void => {
    recording.jumpTo(lifted().getState().computedStates.length - 1);
  },
};

function lifted() {
  if (!connected) throw new Error('No store has connected to DevTools');
  return connected.liftedStore;
}
