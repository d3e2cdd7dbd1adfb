import { ActionCreators, instrument, type EnhancedStore } from '@redux-devtools/instrument';
import type { StoreEnhancer, StoreEnhancerStoreCreator } from 'redux';

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
}

/** The history that the extension shows of the store that was created last. */
export const recording = {
  steps: (): readonly RecordedStep[] => {
    const { computedStates, stagedActionIds, actionsById } = lifted().getState();
    return stagedActionIds.map((id, index) => ({
      action: actionsById[id]?.action,
      state: computedStates[index]?.state,
    }));
  },
  /** The user moves the slider to a step. */
  jumpTo: (index: number): void => {
    lifted().dispatch(ActionCreators.jumpToState(index));
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
