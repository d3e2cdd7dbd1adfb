import type * as chunk from './secondStep';

type SecondStep = typeof chunk;

let loaded: SecondStep | undefined;

/** Fetches the second step's chunk, once; a failed fetch is tried again by the next call. */
export async function loadSecondStep(): Promise<SecondStep> {
  loaded ??= await import(/* webpackChunkName: "second-step" */ './secondStep');
  return loaded;
}

/** The second step, if it is there already: a pop-up has to be opened in the turn of the click, without waiting. */
export const secondStep = (): SecondStep | undefined => loaded;
