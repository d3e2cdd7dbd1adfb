import type { chooseMethod } from './chooseMethod.saga';
import type { MethodStep } from './MethodStep';

/** What `/login` needs only after a username was submitted, in one chunk: the first bundle stays small. */
interface MethodStepChunk {
  readonly MethodStep: typeof MethodStep;
  readonly chooseMethod: typeof chooseMethod;
}

let loaded: MethodStepChunk | undefined;

/** Loads the chunk once. A failed load is retried by the next call. */
export async function loadMethodStep(): Promise<MethodStepChunk> {
  if (!loaded) {
    const [{ MethodStep }, { chooseMethod }] = await Promise.all([
      import(/* webpackChunkName: "method-step" */ './MethodStep'),
      import(/* webpackChunkName: "method-step" */ './chooseMethod.saga'),
    ]);
    loaded = { MethodStep, chooseMethod };
  }
  return loaded;
}

/** The chunk if it is loaded already. Without waiting: a pop-up must open in the turn of the click. */
export const methodStepIfLoaded = (): MethodStepChunk | undefined => loaded;
