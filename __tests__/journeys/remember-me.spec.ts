import { cookieName } from './support/familyCookies';
import { password, people } from './support/people';
import { expect, test } from './support/test';

test.describe('Remember Me', () => {
  const yearMs = 365 * 24 * 60 * 60 * 1000;

  test('keeps the username for a year, and the field starts with it', async ({
    page,
    cookies,
    login,
    settings,
  }) => {
    await login.open();
    await login.typeUsername(people.sam);
    await login.rememberMe.check();
    await login.next();
    await login.typePassword(password);
    await login.signIn();
    await settings.expectOpen();

    const kept = await cookies.find(cookieName.username);
    expect(kept).toMatchObject({ domain: '.payments.localhost', path: '/' });
    expect(decodeURIComponent(kept?.value ?? '')).toBe(people.sam);
    const life = (kept?.expires ?? 0) * 1000 - Date.now();
    expect(life).toBeGreaterThan(yearMs - 60_000);
    expect(life).toBeLessThan(yearMs + 60_000);

    await settings.logoutButton.click();
    await expect(login.username).toHaveValue(people.sam);
    await expect(login.rememberMe).toBeChecked();
    await expect(login.nextButton).toBeEnabled();
    await page.reload();
    await expect(login.username).toHaveValue(people.sam);
  });
});
