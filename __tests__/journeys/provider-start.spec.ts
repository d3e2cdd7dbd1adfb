import { failedRequest } from './support/pageFaults';
import { methodCall, people, tokenCall } from './support/people';
import { providers } from './support/providerPeople';
import { expect, test } from './support/test';
import { watchForOpening } from './support/triedToOpen';

/** Chromium lets a page open a window for 5 seconds after the person's last action. */
test.describe('Where a provider is the only method', () => {
  for (const { wait, provider, brand, only, firstName } of [
    { wait: 500, ...providers[0] },
    { wait: 1000, ...providers[1] },
  ]) {
    test(`its window opens by itself, though the methods take ${String(wait)} ms (${brand})`, async ({
      world,
      login,
      ledger,
      openProvider,
      providerTraffic,
    }) => {
      await world.fail({ path: methodCall(only).split(' ')[1] ?? '', fault: { kind: 'delay', ms: wait } });
      await login.open();
      const window = await openProvider(() => login.enterUsername(only));
      await window.finish();

      await ledger.expectSignedIn(firstName);
      expect(providerTraffic.authorizations(provider)).toHaveLength(1);
      expect(await world.calls(tokenCall)).toHaveLength(1);
    });
  }

  for (const { provider, brand, only, firstName } of providers) {
    test(`and the browser blocks it after 6 s, the button of ${brand} and a line stand there, and no dialog`, async ({
      page,
      world,
      login,
      ledger,
      openProvider,
      providerTraffic,
    }) => {
      await world.fail({ path: '/auth/v1/method/*', fault: { kind: 'delay', ms: 6000 } });
      const triedToOpen = await watchForOpening(page);
      await login.open();
      await login.enterUsername(only);
      await triedToOpen();

      await expect(login.providerLine).toHaveText(
        `Your browser blocked the window. Press ‘Sign in with ${brand}’ to continue.`,
      );
      await expect(login[provider]).toBeEnabled();
      await expect(login.errorDialog).toBeHidden();
      await expect(login.cancelProvider).toBeHidden();
      expect(page.context().pages()).toHaveLength(1);
      expect(providerTraffic.authorizations(provider)).toEqual([]);
      const window = await openProvider(() => login[provider].click());
      await expect(login.providerLine).toHaveText(`Continue in the ${brand} window.`);
      await window.finish();
      await ledger.expectSignedIn(firstName);
    });
  }

  test('a refused methods call is told like any other', async ({ page, world, login, pageFaults }) => {
    pageFaults.allow(failedRequest(500));
    const body = { error: { message: 'Out of order', code: 'unexpected' } };
    await world.fail({ path: '/auth/v1/method/*', fault: { kind: 'answer', status: 500, body } });
    await login.open();
    await login.enterUsername(people.gina);

    await login.expectLoginError('No Login Methods available');
    expect(page.context().pages()).toHaveLength(1);
  });
});

test.describe('Where other methods are offered too', () => {
  test('no window opens by itself', async ({ page, login, providerTraffic }) => {
    await login.open();
    await login.enterUsername(people.alma);
    await expect(login.password).toBeVisible();
    await expect(login.google).toBeVisible();
    await expect(login.microsoft).toBeVisible();

    await expect(login.providerLine).toBeHidden();
    expect(page.context().pages()).toHaveLength(1);
    expect([
      ...providerTraffic.authorizations('google'),
      ...providerTraffic.authorizations('microsoft'),
    ]).toEqual([]);
  });

  test('the window opens at the press, also when its page takes long to come', async ({
    page,
    world,
    login,
    openProvider,
  }) => {
    await world.provider({ provider: 'google', trouble: 'hang' });
    await login.open();
    await login.enterUsername(people.alma);
    const window = await openProvider(() => login.google.click());

    expect(window.page.url()).toBe('about:blank');
    await expect(login.providerLine).toHaveText('Continue in the Google window.');
    expect(page.context().pages()).toHaveLength(2);
  });
});
