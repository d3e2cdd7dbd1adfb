import { createChunk } from '@shared/chunk';

/** What `/login` needs only after a username was submitted: the first bundle stays small. */
export const methodStepChunk = createChunk(async () => {
  const [{ Methods }, { chooseMethod }] = await Promise.all([
    import(/* webpackChunkName: "method-step" */ './Methods.container'),
    import(/* webpackChunkName: "method-step" */ './chooseMethod.saga'),
  ]);
  return { Methods, chooseMethod };
});
