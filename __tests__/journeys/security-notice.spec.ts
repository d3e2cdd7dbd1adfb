import { cookieName } from './support/familyCookies';
import { users } from './support/users';
import { expect, test } from './support/test';

test.use({ serviceSettings: { notices: true } });

const [attackers, own] = ['Harbour-gate8', 'Lantern-bay9'];

test.describe('A security notice', () => {
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
});
