import { createChunk } from '@shared/chunk';

/** The screen of `/two-auth` and its work: fetched from one place, because webpack would cut a second chunk otherwise. */
export const challengeChunk = createChunk(async () => {
  const [{ EnterCode }, { enterCode }] = await Promise.all([
    import(/* webpackChunkName: "challenge" */ './EnterCode.container'),
    import(/* webpackChunkName: "challenge" */ './enterCode.saga'),
  ]);
  return { EnterCode, enterCode };
});
