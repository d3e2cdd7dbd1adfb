import { password, people, tokenCall } from './support/people';
import { expect, test } from './support/test';

test.describe('While a provider’s window is open', () => {
  test.beforeEach(async ({ login }) => {
    await login.open();
    await login.enterUsername(people.alma);
  });

  test('the form stays usable: somebody signs in with the password instead', async ({
    world,
    cookies,
    login,
    ledger,
    openProvider,
  }) => {
    const window = await openProvider(() => login.google.click());
    await expect(window.email).toBeVisible();
    await expect(login.microsoft).toBeEnabled();
    await login.typePassword(password);
    await login.signIn();

    await ledger.expectSignedIn('Alma');
    await window.expectClosed();
    expect(await world.bodies(tokenCall)).toEqual([{ username: people.alma, method: 'basic', password }]);
    expect((await cookies.names()).filter((name) => name.includes('oauth'))).toEqual([]);
  });

  test(
    'Cancel closes it and takes the line away, without a dialog',
    { tag: '@long' },
    async ({ world, cookies, login, openProvider }) => {
      const window = await openProvider(() => login.google.click());
      await login.cancelProvider.click();

      await window.expectClosed();
      await expect(login.providerLine).toBeHidden();
      await expect(login.errorDialog).toBeHidden();
      expect(await cookies.names()).toEqual([]);
      expect(await world.calls(tokenCall)).toEqual([]);
    },
  );

  test('and out of our hands, a code that comes after Cancel is not taken', async ({
    page,
    world,
    cookies,
    login,
    openProvider,
  }) => {
    await world.provider({ provider: 'google', openerPolicy: 'same-origin' });
    const window = await openProvider(() => login.google.click());
    await window.signIn();
    await expect(window.allowButton).toBeVisible();
    await login.cancelProvider.click();
    await expect(login.providerLine).toBeHidden();
    await window.allow();

    await window.expectClosed();
    await login.typePassword('Front');
    await expect(login.signInButton).toBeEnabled();
    await expect(page).toHaveURL(/\/login$/);
    expect(await world.calls(tokenCall)).toEqual([]);
    expect(await cookies.names()).toEqual([]);
  });

  test('another press opens a new one with a new state; the first no longer counts', async ({
    world,
    login,
    ledger,
    openProvider,
    providerTraffic,
  }) => {
    await world.provider({ provider: 'google', openerPolicy: 'same-origin' });
    const first = await openProvider(() => login.google.click());
    await first.signIn();
    await expect(first.allowButton).toBeVisible();
    const second = await openProvider(() => login.openAgain.click());
    await expect(second.allowButton).toBeVisible();
    await first.allow();
    await first.expectClosed();
    expect(await world.calls(tokenCall)).toEqual([]);
    await second.allow();

    await ledger.expectSignedIn('Alma');
    expect(await world.calls(tokenCall)).toHaveLength(1);
    const states = providerTraffic
      .authorizations('google')
      .map(({ searchParams }) => searchParams.get('state'));
    expect(new Set(states).size).toBe(2);
  });

  test(
    'the other provider can be taken; the first window is closed',
    { tag: '@long' },
    async ({ world, login, ledger, openProvider }) => {
      const first = await openProvider(() => login.google.click());
      await expect(first.email).toBeVisible();
      const second = await openProvider(() => login.microsoft.click());
      await expect(login.providerLine).toHaveText('Continue in the Microsoft window.');
      await first.expectClosed();
      await second.finish();

      await ledger.expectSignedIn('Alma');
      expect(await world.bodies(tokenCall)).toEqual([expect.objectContaining({ method: 'microsoft' })]);
    },
  );

  test(
    'the link back to the username gives it up',
    { tag: '@long' },
    async ({ world, cookies, login, openProvider }) => {
      const window = await openProvider(() => login.google.click());
      await login.backLink(people.alma).click();

      await window.expectClosed();
      await expect(login.username).toHaveValue(people.alma);
      expect(await cookies.names()).toEqual([]);
      await login.expectUsable(people.ada);
      expect(await world.calls(tokenCall)).toEqual([]);
    },
  );

  test(
    'leaving for another screen gives it up',
    { tag: '@long' },
    async ({ page, cookies, login, openProvider }) => {
      const window = await openProvider(() => login.google.click());
      await login.forgotPassword.click();

      await window.expectClosed();
      expect(await cookies.names()).toEqual([]);
      await page.goBack();
      await login.expectUsable(people.alma);
    },
  );
});
