import { createChunk } from '@shared/chunk';

/** The screen of `/two-auth` and its work: fetched from one place, because webpack would cut a second chunk otherwise. */
export const challengeChunk = createChunk(async () => {
  const [{ EnterCode }, { answerChallenge }] = await Promise.all([
    import(/* webpackChunkName: "challenge" */ './EnterCode.container'),
    import(/* webpackChunkName: "challenge" */ './answerChallenge.saga'),
  ]);
  return { EnterCode, answerChallenge };
});
