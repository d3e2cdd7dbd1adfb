import { failedRequest } from './support/pageFaults';
import { people } from './support/people';
import { expect, test } from './support/test';
import { expectSignedIn, openTabs, refreshes } from './support/tabs';

// Half a life is over at the second look at the clock (5 s each); the service takes a refresh token once (10 s of grace).
test.use({ serviceSettings: { accessTokenSeconds: 16 } });

const refreshPath = '/auth/v1/refresh';

test.describe('Ten tabs of one session', { tag: '@long' }, () => {
  test('make one refresh a token between them, and none is signed out', async ({
    context,
    world,
    signedInAs,
  }) => {
    test.setTimeout(120_000);
    await signedInAs(people.several);
    const tabs = await openTabs(context, 10);
    const statuses = async () => (await refreshes(world)).map(({ status }) => status);
    await expect.poll(statuses, { timeout: 60_000 }).toEqual([200, 200, 200, 200]);
    const calls = await refreshes(world);
    const sent = new Set(calls.map(({ body }) => JSON.stringify(body)));
    // Four tokens were renewed by four calls, each with a refresh token of its own.
    expect(calls.length / sent.size).toBe(1);
    for (const tab of tabs) await expectSignedIn(tab);
  });
});

test.describe('A service that is down', { tag: '@long' }, () => {
  test('until the token’s end signs out', async ({ page, world, login, cookies, pageFaults, atSettings }) => {
    pageFaults.allow(failedRequest('(net::ERR_|5[0-9]{2})'));
    await atSettings(people.several);
    await world.fail({ path: refreshPath, fault: { kind: 'answer', status: 503, body: {} } });
    await expect(login.username).toBeVisible({ timeout: 30_000 });
    await expect(page).toHaveURL(/\/login$/);
    expect(await cookies.names()).toEqual([]);
  });
});
