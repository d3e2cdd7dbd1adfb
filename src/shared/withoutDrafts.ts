/*
 * Stands in for immer under Redux Toolkit, in the build and in the tests. Every reducer of the application returns the next
 * state, as its `readonly` types ask for; none writes to a draft. State is frozen as immer freezes it, so that a reducer
 * that writes to it all the same throws at once, everywhere.
 */

type Recipe<State> = (state: State) => State | undefined;

/** The state that the recipe returns, or the same one; both frozen. */
export function produce<State>(state: State, recipe: Recipe<State>): State {
  const next = recipe(freeze(state));
  return next === undefined ? state : freeze(next);
}

/** Freezes a plain value and all that it holds. What is frozen was frozen here, with all that it holds. */
export function freeze<T>(value: T): T {
  if (isDraftable(value) && !Object.isFrozen(value)) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

/** What a reducer of Redux Toolkit gives to `produce`. */
export function isDraftable(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** There are none. */
export function isDraft(): false {
  return false;
}

/** For code of Redux Toolkit that the application does not use. */
export const current = <T>(value: T): T => value;
export const original = current;
