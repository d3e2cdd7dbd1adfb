import { cookieName } from './support/familyCookies';
import { password, users } from './support/users';
import { pressMouse } from './support/pressMouse';
import { expect, test } from './support/test';

test.describe('The login form', () => {
  test(
    'works with a value that the browser filled in without a key event',
    { tag: '@long' },
    async ({ login, ledger }) => {
      await login.open();
      await login.username.evaluate((input: HTMLInputElement, value) => {
        input.value = value;
      }, users.ada);
      // Neither the field nor the button receives an event before the mouse button is pressed.
      await pressMouse(login.nextButton);
      await expect(login.password).toBeVisible();
      await login.password.evaluate((input: HTMLInputElement, value) => {
        input.value = value;
      }, password);
      await pressMouse(login.signInButton);

      await ledger.expectSignedIn('Ada');
    },
  );
});

test.describe('Remember Me', () => {
  const yearMs = 365 * 24 * 60 * 60 * 1000;

  test('stores the username for a year, and the field starts with it', async ({
    page,
    cookies,
    login,
    settings,
  }) => {
    await login.open();
    await login.typeUsername(users.several);
    await login.rememberMe.check();
    await login.next();
    await login.typePassword(password);
    await login.signIn();
    await settings.expectOpen();

    const kept = await cookies.find(cookieName.username);
    expect(kept).toMatchObject({ domain: '.payments.localhost', path: '/' });
    expect(decodeURIComponent(kept?.value ?? '')).toBe(users.several);
    const life = (kept?.expires ?? 0) * 1000 - Date.now();
    expect(life).toBeGreaterThan(yearMs - 60_000);
    expect(life).toBeLessThan(yearMs + 60_000);

    await settings.logoutButton.click();
    await expect(login.username).toHaveValue(users.several);
    await expect(login.rememberMe).toBeChecked();
    await expect(login.nextButton).toBeEnabled();
    await page.reload();
    await expect(login.username).toHaveValue(users.several);
  });
});
