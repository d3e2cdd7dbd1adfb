import { combineReducers, type Reducer } from '@reduxjs/toolkit';
import { brandReducer } from '@shared/brand/brand.slice';
import type { Chunk } from '@shared/chunk';
import type { EarlyPart, Feature, LatePart } from '@shared/deps';
import { locationReducer } from '@shared/routing/location.slice';
import { crashReducer } from './crash/crash.slice';
import { features, type ListedFeature } from './features';
import { flowsReducer } from './flows/flows.slice';
import { waitReducer } from './wait.slice';

/** The state of the page: the address, the look, a crash, and what the page waits for. */
const pageReducer = combineReducers({
  location: locationReducer,
  brand: brandReducer,
  crash: crashReducer,
  flows: flowsReducer,
  wait: waitReducer,
});

type StateOf<F> = F extends { readonly late: Chunk<{ readonly reducer?: infer Late }> }
  ? ReturnType<Extract<Late, Reducer>>
  : F extends { readonly reducer: infer Early extends Reducer }
    ? ReturnType<Early>
    : never;
type WithState = Extract<ListedFeature, { readonly late: unknown } | { readonly reducer: unknown }>;

/**
 * The whole state: one branch for each feature, and the page. `flowsStarted` follows the late reducers of the specification's features, so
 * that a screen is drawn only when its state exists.
 */
export type RootState = {
  readonly [F in WithState as F['name']]: StateOf<F>;
} & { readonly page: ReturnType<typeof pageReducer> };

/** The reducers that `/login` needs, and those that were added later. */
let reducers: Readonly<Record<string, Reducer>> = {
  page: pageReducer,
  ...Object.fromEntries(features.flatMap(({ name, reducer }) => (reducer ? [[name, reducer]] : []))),
};
let combined: Reducer = combineReducers(reducers);

export const rootReducer: Reducer<RootState> = (state, action) => combined(state, action) as RootState;

/** Adds reducers, each for the branch of its name, and replaces the former ones. Their state exists after the next action. */
export function injectReducers(more: Readonly<Record<string, Reducer>>): void {
  reducers = { ...reducers, ...more };
  combined = combineReducers(reducers);
}

/** Loads the late part of a feature and adds its reducer. */
export const injectLate = ({ name, late }: Feature): Promise<LatePart> => inject(name, late);

/** Loads a part of a feature and adds its reducer. */
export async function inject<Part extends EarlyPart>(name: string, chunk: Chunk<Part> | undefined) {
  const part: Partial<Part> = (await chunk?.load()) ?? {};
  if (part.reducer) injectReducers({ [name]: part.reducer });
  return part;
}
