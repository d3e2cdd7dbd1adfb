import { createChunk } from '@shared/chunk';

/** Loads the code that `/login` needs after a username was submitted. */
export const methodStepChunk = createChunk(async () => {
  const [{ Methods }, { chooseMethod }] = await Promise.all([
    import(/* webpackChunkName: "method-step" */ './Methods.container'),
    import(/* webpackChunkName: "method-step" */ './chooseMethod.saga'),
  ]);
  return { Methods, chooseMethod };
});
