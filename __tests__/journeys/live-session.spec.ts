import { password, users } from './support/users';
import { expect, test } from './support/test';

test.describe('Devices and activity', () => {
  test('end the session of another browser, which says so within two seconds', async ({
    page,
    environment,
    login,
    settings,
    atSettings,
  }) => {
    await atSettings(users.several);
    await expect.poll(async () => (await environment.calls('GET /auth/v1/events')).length).toBe(1);
    const other = await environment.tokensFor(users.several, password);
    const { status } = await environment.request('api', {
      method: 'POST',
      path: '/auth/v1/sessions/end',
      headers: { authorization: `Bearer ${other.token}` },
      body: { others: true },
    });
    expect(status).toBe(200);
    await expect(page.getByText('You were signed out on another device.')).toBeVisible({ timeout: 2000 });
    await login.username.press('a');
    await expect(page.getByText('You were signed out on another device.')).toBeHidden();
    await expect(settings.logoutButton).toBeHidden();
  });
});
