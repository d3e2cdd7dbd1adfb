import type { Page } from '@playwright/test';
import { cookieName } from './support/familyCookies';
import { failedRequest } from './support/pageFaults';
import { users } from './support/users';
import { expectSignedIn, nextRefresher, openTabs, refreshes } from './support/tabs';
import { expect, test } from './support/test';

// After half of the lifetime there is time for the lease of a tab that crashed (12 s) and for two polls (5 s each).
test.use({ serviceSettings: { accessTokenSeconds: 50 } });

const refreshPath = '/auth/v1/refresh';
const oneRefresh = { timeout: 40_000 };

test.describe('The tab that refreshes', { tag: '@long' }, () => {
  for (const [what, end] of [
    ['is closed', (tab: Page) => tab.close()],
    ['navigates away', (tab: Page) => tab.goto('about:blank')],
    [
      'crashes',
      async (tab: Page) => {
        const session = await tab.context().newCDPSession(tab);
        // Never answered: the tab is gone.
        void session.send('Page.crash').catch(() => undefined);
        await tab.waitForEvent('crash');
      },
    ],
  ] as const) {
    test(`${what} during the call, and another tab continues`, async ({
      context,
      environment,
      signedInAs,
      cookies,
      pageFaults,
    }) => {
      pageFaults.allow(failedRequest('net::ERR_'));
      await signedInAs(users.several);
      const before = await cookies.read(cookieName.session);
      const tabs = await openTabs(context, 3);
      await environment.fail({ path: refreshPath, times: 1, fault: { kind: 'delay', ms: 3000 } });
      const holder = await nextRefresher(tabs);
      await end(holder);
      await expect.poll(() => cookies.read(cookieName.session), oneRefresh).not.toBe(before);
      for (const tab of tabs.filter((one) => one !== holder)) await expectSignedIn(tab);
      const statuses = (await refreshes(environment)).map(({ status }) => status);
      expect(statuses.filter((status) => (status ?? 0) >= 400)).toEqual([]);
    });
  }

  test('hangs during the call, and continues afterwards', async ({
    context,
    environment,
    signedInAs,
    cookies,
  }) => {
    await signedInAs(users.several);
    const before = await cookies.read(cookieName.session);
    const tabs = await openTabs(context, 3);
    await environment.fail({ path: refreshPath, times: 1, fault: { kind: 'delay', ms: 1000 } });
    const holder = await nextRefresher(tabs);
    await holder.evaluate(() => {
      const end = Date.now() + 8000;
      // Nothing else happens in this tab: it holds the lock, and its answer is pending.
      while (Date.now() < end);
    });
    await expect.poll(() => cookies.read(cookieName.session), oneRefresh).not.toBe(before);
    for (const tab of tabs) await expectSignedIn(tab);
    expect(new Set((await refreshes(environment)).map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });
});

test(
  'Ten tabs of one session, on two hosts, refresh each token once together, and stay signed in',
  { tag: '@long' },
  async ({ context, environment, signedInAs }) => {
    test.setTimeout(240_000);
    await signedInAs(users.several);
    // Long enough for polls of other tabs while the answer is outstanding, too short for a call to be repeated.
    await environment.fail({ path: refreshPath, fault: { kind: 'delay', ms: 1500 } });
    const tabs = [
      ...(await openTabs(context, 5)),
      ...(await openTabs(context, 5, environment.origin('suppliers'))),
    ];
    const statuses = async () => (await refreshes(environment)).map(({ status }) => status);
    for (const calls of [1, 2, 3, 4])
      await expect.poll(statuses, oneRefresh).toEqual(Array<number>(calls).fill(200));
    const sent = (await refreshes(environment)).map(({ body }) => JSON.stringify(body));
    expect(new Set(sent).size).toBe(4);
    for (const tab of tabs) await expectSignedIn(tab);
  },
);
