import { expect } from '@playwright/test';
import { failedRequest } from './support/pageFaults';
import { people } from './support/people';
import { test } from './support/test';

const newPassword = 'Harbour-gate8';
const refused = 'This link is invalid or has expired.';
const invited = 'late.person@payments.example';

test.use({ serviceSettings: { links: { resetSeconds: 1, invitationSeconds: 1, magicLinkSeconds: 1 } } });

test.beforeEach(({ pageFaults }) => {
  pageFaults.allow(failedRequest('4[0-9]{2}'));
});

/** Waits out a link of one second. */
async function expire(expiresAt: string): Promise<void> {
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(expiresAt));
}

test.describe('A link whose time is over', () => {
  test('resets no password and says so', async ({ page, world, passwords }) => {
    const { url, expiresAt } = await world.link({ kind: 'reset', username: people.ada });
    await expire(expiresAt);
    await page.goto(url);
    await passwords.save('Reset Password', newPassword);
    await passwords.expectError(refused);
  });

  test('activates no account and says so', async ({ page, world, passwords }) => {
    const { url, expiresAt } = await world.link({ kind: 'invitation', username: invited });
    await expire(expiresAt);
    await page.goto(url);
    await passwords.firstName.fill('Nia');
    await passwords.lastName.fill('Okafor');
    await passwords.save('Activate', newPassword);
    await passwords.expectError(refused);
  });

  test('shows no API key', async ({ page, world, passwords }) => {
    const { url, expiresAt } = await world.link({ kind: 'api-invitation', name: 'Nightly export' });
    await expire(expiresAt);
    await page.goto(url);
    await expect(passwords.expiredTitle).toBeVisible();
  });

  test('opens no application', async ({ page, world, passwords, cookies }) => {
    const { url, expiresAt } = await world.link({
      kind: 'magic',
      username: people.ada,
      application: 'ledger',
    });
    await expire(expiresAt);
    await page.goto(url);
    await expect(passwords.expiredTitle).toBeVisible();
    expect(await cookies.names()).toEqual([]);
  });
});
