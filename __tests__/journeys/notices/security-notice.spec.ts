import { cookieName } from '../support/familyCookies';
import { LoginPage } from '../pages/LoginPage';
import { password, users } from '../support/users';
import { offers } from '../support/runEnvironment';
import { expect, test } from '../support/test';

test.use({ serviceSettings: { notices: true } });

const [attackers, own] = ['Harbour-gate8', 'Lantern-bay9'];

test.describe('A security notice', () => {
  test.skip(!offers('notices'), 'It is an extension.');
  test('leads from its mail to a new password, which then signs in', async ({
    page,
    context,
    environment,
    login,
    ledger,
    passwords,
  }) => {
    const { id } = await environment.link({ kind: 'reset', username: users.ada });
    const changed = await environment.request('api', {
      method: 'POST',
      path: '/password-reset/v1/password-reset',
      body: { hash: id, method: 'basic', password: attackers, confirm: attackers },
    });
    expect(changed.status).toBe(200);

    await page.goto(await environment.mailedLink(users.ada));
    await expect(page.getByRole('heading', { name: 'Was this you?' })).toBeVisible();
    await expect(page.getByText('Your password was changed.')).toBeVisible();
    const answers = async () =>
      (await environment.calls()).filter(
        ({ method, path }) => method === 'POST' && path.startsWith('/auth/v1/notices/'),
      ).length;
    expect(await answers()).toBe(0);
    await page.getByRole('button', { name: 'No, Secure My Account' }).click();
    await expect(page).toHaveURL(/\/reset-password\//);
    expect(await answers()).toBe(1);
    await passwords.saveAndLeave('Set New Password', own);

    await login.signInAs(users.ada, own);
    await ledger.expectSignedIn('Ada');
    const device = (await context.cookies()).find(({ name }) => name === cookieName.device);
    expect(device?.value).toMatch(/^[\w-]{20,}$/);
  });

  test('about a second step that was not passed comes when it is over, and leads to a new password', async ({
    page,
    environment,
    login,
    codes,
    passwords,
  }) => {
    const mails = async () =>
      (await environment.outbox()).filter(
        ({ to, text }) => to === users.textMessage && text.includes('/security-notice/'),
      );
    await login.open();
    await login.signInAs(users.textMessage, password);
    await codes.expectAtSignIn();
    await environment.advance(19 * 60_000);
    expect(await mails()).toEqual([]);
    await environment.advance(2 * 60_000);
    await expect.poll(async () => (await mails()).length).toBe(1);
    await page.goto(await environment.mailedLink(users.textMessage));
    await expect(
      page.getByText('Someone passed the first step of a sign-in to your account, but not the second.'),
    ).toBeVisible();
    await page.getByRole('button', { name: 'No, Secure My Account' }).click();
    await expect(page).toHaveURL(/\/reset-password\//);
    await passwords.saveAndLeave('Set New Password', own);
    await login.signInAs(users.textMessage, own);
    await codes.expectAtSignIn();
  });

  test(
    'about a sign-in on a new browser comes once after a minute, and none on a known one; Yes changes nothing',
    { tag: '@long' },
    async ({ page, browser, environment, login, settings }) => {
      const mails = async () =>
        (await environment.outbox()).filter(
          ({ to, text }) => to === users.several && text.includes('/security-notice/'),
        );
      const known = async () =>
        (await environment.calls('POST /auth/v1/devices/known')).map(({ status }) => status);
      const signIn = async (calls: number) => {
        await login.open();
        await login.signInAs(users.several, password);
        await settings.expectOpen();
        await expect.poll(known).toEqual(Array.from({ length: calls }, () => 200));
      };
      await signIn(1);
      expect(await mails()).toEqual([]);
      await environment.advance(60_000);
      await expect.poll(async () => (await mails()).length).toBe(1);
      const [first] = await mails();

      await settings.logoutButton.click();
      await expect(login.username).toBeVisible();
      await signIn(2);
      const elsewhere = await browser.newContext();
      const other = await elsewhere.newPage();
      await other.goto(`${environment.origin('app')}/login`);
      await new LoginPage(other).signInAs(users.several, password);
      await expect(other).toHaveURL(/account-settings$/);
      await environment.advance(60_000);
      // The known browser's would come first.
      await expect.poll(async () => (await mails()).length).toBe(2);

      await page.goto(/https?:\/\/\S+/.exec(first?.text ?? '')?.[0] ?? '');
      await expect(page.getByText('Someone signed in to your account from a new device.')).toBeVisible();
      await page.getByRole('button', { name: 'Yes, It Was Me' }).click();
      await expect(page.getByText('Thank you. Nothing has changed.')).toBeVisible();
      await settings.open();
      await settings.expectOpen();
      await elsewhere.close();
    },
  );
});
