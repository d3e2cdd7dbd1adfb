import { createChunk } from '@shared/chunk';

/** What `/login` needs only after a username was submitted: the first bundle stays small. */
export const methodStepChunk = createChunk(async () => {
  const [{ MethodStep }, { chooseMethod }] = await Promise.all([
    import(/* webpackChunkName: "method-step" */ './MethodStep'),
    import(/* webpackChunkName: "method-step" */ './chooseMethod.saga'),
  ]);
  return { MethodStep, chooseMethod };
});
