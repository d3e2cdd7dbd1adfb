/** The screen of `/two-auth` and its work, in one chunk: fetched from one place, because webpack would cut a second one otherwise. */
export async function loadChallenge() {
  const [{ EnterCode }, { answerChallenge }] = await Promise.all([
    import(/* webpackChunkName: "challenge" */ './EnterCode.container'),
    import(/* webpackChunkName: "challenge" */ './answerChallenge.saga'),
  ]);
  return { EnterCode, answerChallenge };
}
