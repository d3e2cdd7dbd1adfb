import type { Page } from '@playwright/test';
import { failedRequest } from './support/pageFaults';
import type { LocalEnvironment } from './support/environment';
import { password, refreshCall, users } from './support/users';
import { offers } from './support/runEnvironment';
import { expect, test } from './support/test';
import { endOthers, streams } from './support/tabs';

// A refresh is due at the second poll (every 5 s).
test.use({ serviceSettings: { accessTokenSeconds: 16 } });

test.describe('A session that another browser ends', { tag: '@long' }, () => {
  test.skip(!offers('events'), 'There is no event to miss.');
  const cases: readonly [
    string,
    (page: Page, environment: LocalEnvironment) => Promise<() => Promise<void>>,
  ][] = [
    [
      'the service refuses the stream',
      async (page, environment) => {
        await environment.fail({ path: '/auth/v1/events', fault: { kind: 'down' } });
        await page.reload();
        return () => Promise.resolve();
      },
    ],
    [
      'the stream is cut',
      async (page) => {
        await page.context().setOffline(true);
        return () => page.context().setOffline(false);
      },
    ],
    [
      'the tab is frozen',
      async (page) => {
        const browser = await page.context().newCDPSession(page);
        const become = async (state: 'frozen' | 'active') => {
          await browser.send('Page.setWebLifecycleState', { state });
        };
        await become('frozen');
        return () => become('active');
      },
    ],
  ];
  for (const [what, begin] of cases)
    test(`the end of a session is noticed at the next poll: ${what}`, async ({
      page,
      environment,
      atSettings,
      login,
      pageFaults,
    }) => {
      // While the stream is cut, a section of the settings may still be loading.
      pageFaults.allow(
        failedRequest('ERR_EMPTY_RESPONSE'),
        failedRequest('ERR_INTERNET_DISCONNECTED'),
        failedRequest(401),
      );
      const other = await environment.tokensFor(users.several, password);
      await atSettings(users.several);
      await expect.poll(() => streams(environment)).toEqual([200]);
      const end = await begin(page, environment);
      await endOthers(environment, other.token);
      await end();
      await expect(login.username).toBeVisible({ timeout: 13_000 });
      expect((await environment.calls(refreshCall)).at(-1)?.status ?? 401).toBe(401);
    });
});
