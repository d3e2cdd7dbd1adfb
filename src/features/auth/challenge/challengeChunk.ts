import { createChunk } from '@shared/chunk';

/**
 * Loads the view and the saga of `/two-auth`. Both are imported here only, because webpack would make two chunks otherwise.
 */
export const challengeChunk = createChunk(async () => {
  const [{ EnterCode }, { enterCode }] = await Promise.all([
    import(/* webpackChunkName: "challenge" */ './EnterCode.container'),
    import(/* webpackChunkName: "challenge" */ './enterCode.saga'),
  ]);
  return { EnterCode, enterCode };
});
