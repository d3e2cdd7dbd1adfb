import type { Page } from '@playwright/test';
import { offers } from './support/runEnvironment';
import { users } from './support/users';
import { expect, test } from './support/test';
import type { LocalEnvironment } from './support/environment';

const fallback = 'An unexpected error occurred. Please try again later. We apologize for the inconvenience.';

/**
 * The host has only the files that the page itself names, as after a deployment that removed the old build.
 *
 * @returns how often the page was loaded
 */
async function loseParts(page: Page, environment: LocalEnvironment): Promise<() => number> {
  const { body } = await environment.request('app', {
    method: 'GET',
    path: '/',
    headers: { accept: 'text/html' },
  });
  const named = new Set(
    Array.from(body.matchAll(/(?:src|href)="?(\/assets\/[^\s">]+)/g), ([, path]) => path),
  );
  let loads = 0;
  page.on('request', (request) => {
    if (request.resourceType() === 'document') loads += 1;
  });
  await page.route(/\/assets\//, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (named.has(pathname)) await route.continue();
    else await route.fulfill({ status: 404, contentType: 'text/plain', body: 'gone' });
  });
  return () => loads;
}

test.describe('A chunk that the host no longer has', () => {
  test(
    'that stays missing leads to the fallback message, not to a reload loop',
    { tag: '@long' },
    async ({ page, environment, settings, signedInAs, pageFaults }) => {
      pageFaults.allow(/./);
      await signedInAs(users.several);
      const count = await loseParts(page, environment);
      await settings.open();
      await expect(page.getByRole('alert')).toHaveText(fallback);
      expect(count()).toBe(2);
      await page.unroute(/\/assets\//);
      await page.getByRole('button', { name: 'Try Again', exact: true }).click();
      await settings.expectOpen();
    },
  );

  test('of passkeys or recovery codes is left out, and the rest of the settings works', async ({
    page,
    environment,
    settings,
    twoStep,
    signedInAs,
    pageFaults,
  }) => {
    test.skip(!offers('passkeys') || !offers('recovery-codes'), 'They are extensions.');
    pageFaults.allow(/./);
    await signedInAs(users.several);
    const lost = new Set<string>();
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      const path = new URL(route.request().url()).pathname;
      const { body } = await environment.request('app', { method: 'GET', path });
      if (/You have no passkeys|Get Recovery Codes/.test(body)) {
        lost.add(path);
        await route.fulfill({ status: 404, contentType: 'text/plain', body: 'gone' });
      } else await route.continue();
    });
    await settings.open();
    await settings.expectOpen();
    await expect(twoStep.getStarted).toBeVisible();
    await expect.poll(() => lost.size).toBe(2);
    await expect(page.getByRole('alert')).toBeHidden();
    await expect(page.getByRole('region', { name: 'Passkeys' })).toBeHidden();
    await page.getByRole('button', { name: 'Change Password' }).click();
    await expect(page).toHaveURL(/\/reset-password-verify$/);
  });
});
