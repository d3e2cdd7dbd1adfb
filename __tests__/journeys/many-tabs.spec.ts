import { users } from './support/users';
import { expect, test } from './support/test';
import { expectSignedIn, openTabs, refreshes } from './support/tabs';

// A refresh is due at the second poll (every 5 s); the service accepts a refresh token once (10 s of grace).
test.use({ serviceSettings: { accessTokenSeconds: 16 } });

const refreshPath = '/auth/v1/refresh';

test.describe('Ten tabs of one session, on two hosts', { tag: '@long' }, () => {
  test('refresh each token once together, and stay signed in', async ({
    context,
    environment,
    signedInAs,
  }) => {
    test.setTimeout(120_000);
    await signedInAs(users.several);
    // Long enough for polls of other tabs while the answer is outstanding, too short for a call to be repeated.
    await environment.fail({ path: refreshPath, fault: { kind: 'delay', ms: 1500 } });
    const tabs = [
      ...(await openTabs(context, 5)),
      ...(await openTabs(context, 5, environment.origin('suppliers'))),
    ];
    const statuses = async () => (await refreshes(environment)).map(({ status }) => status);
    await expect.poll(statuses, { timeout: 60_000 }).toEqual([200, 200, 200, 200]);
    const calls = await refreshes(environment);
    const sent = new Set(calls.map(({ body }) => JSON.stringify(body)));
    // Four tokens were refreshed by four calls, each with its own refresh token.
    expect(calls.length / sent.size).toBe(1);
    for (const tab of tabs) await expectSignedIn(tab);
  });
});
