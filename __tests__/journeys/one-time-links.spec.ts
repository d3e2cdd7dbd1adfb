import { createHash } from 'node:crypto';
import { readClipboard } from './support/editingKeys';
import { cookieName } from './support/familyCookies';
import { failedRequest } from './support/pageFaults';
import { password, users } from './support/users';
import { expect, test } from './support/test';

const inviteCall = '/user-management/v1/api-users/invite/link/';
const newPassword = 'Harbour-gate8';

test.describe('An invitation', () => {
  test('sets name and password, and the account can sign in', async ({
    page,
    environment,
    login,
    ledger,
    passwords,
  }) => {
    const username = 'new.person@payments.example';
    await environment.link({ kind: 'invitation', username, mail: true });
    const url = await environment.mailedLink(username);
    await page.goto(url);
    await expect(passwords.firstName).toHaveAttribute('autocomplete', 'given-name');
    await passwords.save('Activate', newPassword);
    // The browser requires the names first, which stand outside of the form.
    const isValid = async () =>
      await passwords.firstName.evaluate((field) => (field as HTMLInputElement).validity.valid);
    await expect.poll(isValid).toBe(false);
    await passwords.lastName.press('Enter');
    await expect(passwords.firstName).toBeFocused();
    await passwords.firstName.fill('  Nia ');
    await passwords.lastName.fill('Okafor');
    await passwords.saveAndLeave('Activate', newPassword, passwords.activatedTitle);
    expect(await environment.bodies('POST /password-reset/v1/activate')).toEqual([
      {
        firstName: 'Nia',
        lastName: 'Okafor',
        password: newPassword,
        confirm: newPassword,
        hash: decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''),
        method: 'basic',
      },
    ]);
    await login.signInAs(username, newPassword);
    await ledger.expectSignedIn('Nia');
  });
});

test.describe('An API invitation', () => {
  test('shows key and secret once, copies each, and then leads to the page for invalid links', async ({
    page,
    environment,
    passwords,
    pageFaults,
  }) => {
    // Also the page in which is pasted: one that does not exist.
    pageFaults.allow(failedRequest('4[0-9]{2}'));
    const mailTo = 'operations@payments.example';
    await environment.link({ kind: 'api-invitation', name: 'Nightly export', mailTo });
    await page.goto(await environment.mailedLink(mailTo));
    for (const [label, said] of [
      ['API key', 'API key copied'],
      ['API secret', 'API secret copied'],
    ] as const) {
      const box = page.getByRole('button', { name: new RegExp(`^${label}`) });
      await box.click();
      await expect(page.getByRole('status').filter({ hasText: said })).toBeVisible();
      const copied = await readClipboard(page, environment);
      await expect(box).toContainText(copied);
      expect(copied.length).toBeGreaterThan(15);
    }
    const shown = await page.getByRole('main').innerText();
    await page.reload();
    await expect(passwords.expiredTitle).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('button', { name: /^API secret/ })).toBeHidden();
    const calls = (await environment.calls()).filter(({ path }) => path.startsWith(inviteCall));
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(shown).toContain('API secret');
  });

  test.describe('without a clipboard', () => {
    test.use({ userSetting: 'no clipboard' });

    test('selects the value', { tag: '@long' }, async ({ page, environment }) => {
      const { url } = await environment.link({ kind: 'api-invitation', name: 'Nightly export' });
      await page.goto(url);
      const box = page.getByRole('button', { name: /^API secret/ });
      await box.focus();
      await page.keyboard.press('Enter');
      const said = page.getByRole('status').filter({ hasText: /copied|selected/ });
      await expect(said).toBeVisible();
      await expect(said).toHaveText('The value is selected. Press Ctrl+C (⌘C on a Mac) to copy it.');
      const selected = await page.evaluate(() => document.getSelection()?.toString() ?? '');
      expect(selected.length).toBeGreaterThan(15);
      await expect(box).toContainText(selected);
    });
  });
});

test.describe('A magic link', () => {
  test('as a short link opens the application, with its tokens under the hashed id', async ({
    page,
    environment,
    context,
  }) => {
    const { id } = await environment.link({
      kind: 'magic',
      username: users.ada,
      application: 'ledger',
      mail: true,
    });
    const url = await environment.mailedLink(users.ada);
    expect(new URL(url).origin).toBe(environment.origin('shortLinks'));
    await page.goto(url);
    const hash = createHash('sha256').update(id).digest('hex');
    await expect(page).toHaveURL(`${environment.origin('ledger')}/?magiclink=${hash}`);
    const cookie = (await context.cookies()).find(({ name }) => name.endsWith(`-session-${hash}`));
    expect(Object.keys(JSON.parse(decodeURIComponent(cookie?.value ?? '{}')) as object)).toEqual([
      'token',
      'refreshToken',
    ]);
  });

  test(
    'is one of twenty in a browser, and a sign-in, Logout and another person work afterwards',
    { tag: '@long' },
    async ({ page, environment, login, ledger, cookies }) => {
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(`${String(response.status())} ${response.url()}`);
      });
      const names: string[] = [];
      for (let opened = 0; opened < 20; opened += 1) {
        const { id, url } = await environment.link({
          kind: 'magic',
          username: users.ada,
          application: 'ledger',
        });
        const hash = createHash('sha256').update(id).digest('hex');
        names.push(`${cookieName.session}-${hash}`);
        await page.goto(url);
        await expect(page).toHaveURL(`${environment.origin('ledger')}/?magiclink=${hash}`);
      }
      const newest = names.slice(-4).sort();
      expect(await cookies.names()).toEqual(newest);

      await login.open();
      await login.signInAs(users.ada, password);
      await ledger.expectSignedIn('Ada');
      const own = [cookieName.session, cookieName.refresh];
      expect(await cookies.names()).toEqual([...own, ...newest].sort());

      await page.goto('/account-settings');
      await page.getByRole('button', { name: 'Logout', exact: true }).click();
      await expect(login.username).toBeVisible();
      expect(await cookies.names()).toEqual([]);

      await login.signInAs(users.several, password);
      await expect(page).toHaveURL(/\/account-settings$/);
      expect(await cookies.names()).toEqual(own);
      expect(refused).toEqual([]);
    },
  );
});
