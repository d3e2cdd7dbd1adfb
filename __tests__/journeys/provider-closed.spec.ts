import { lookHere } from './support/focus';
import { people, tokenCall } from './support/people';
import { expect, test } from './support/test';

const tenMinutes = 10 * 60 * 1000;

test.describe('When a provider’s window is closed', () => {
  test('the line says so at once, and the dialog comes when the person is back', async ({
    page,
    world,
    cookies,
    login,
    openProvider,
  }) => {
    await login.open();
    await login.enterUsername(people.alma);
    const window = await openProvider(() => login.google.click());
    await expect(window.email).toBeVisible();
    await window.page.close();

    await expect(login.providerLine).toHaveText('Finish in the other window, or try again.');
    await expect(login.google).toBeEnabled();
    await expect(login.errorDialog).toBeHidden();
    await lookHere(page);
    await login.expectLoginError('Unable to log in with Google');
    await login.closeLoginError();
    expect(await world.calls(tokenCall)).toEqual([]);
    const again = await openProvider(() => login.openAgain.click());
    await expect(again.email).toBeVisible();
    expect((await cookies.names()).filter((name) => name.includes('oauth'))).toHaveLength(1);
  });

  test(
    'so it seems, a code that comes after the dialog is taken and closes it',
    { tag: '@long' },
    async ({ page, world, login, ledger, openProvider }) => {
      await world.provider({ provider: 'microsoft', openerPolicy: 'same-origin' });
      await login.open();
      const window = await openProvider(() => login.enterUsername(people.mick));
      await expect(login.providerLine).toHaveText('Finish in the other window, or try again.');
      await lookHere(page);
      await login.expectLoginError('Unable to log in with Microsoft');
      await window.finish();

      await ledger.expectSignedIn('Mick');
      expect(await world.calls(tokenCall)).toHaveLength(1);
    },
  );

  test(
    'or forgotten, the dialog comes after 10 minutes',
    { tag: '@long' },
    async ({ page, cookies, login, openProvider }) => {
      await page.clock.install();
      await login.open();
      await login.enterUsername(people.alma);
      const window = await openProvider(() => login.google.click());
      await expect(window.email).toBeVisible();
      await page.clock.fastForward(tenMinutes - 5000);
      await expect(login.providerLine).toHaveText('Continue in the Google window.');
      await expect(login.errorDialog).toBeHidden();
      await page.clock.fastForward(5000);

      await login.expectLoginError('Unable to log in with Google');
      await window.expectClosed();
      await expect(login.providerLine).toBeHidden();
      expect(await cookies.names()).toEqual([]);
    },
  );
});

test.describe('While a provider does not answer', () => {
  for (const trouble of ['hang', 'down'] as const) {
    test(
      `because it is ${trouble === 'down' ? 'down' : 'hanging'}, the page stays usable`,
      { tag: '@long' },
      async ({ world, login, ledger, openProvider, pageFaults }) => {
        pageFaults.allow(/ERR_EMPTY_RESPONSE/);
        await world.provider({ provider: 'microsoft', trouble });
        await login.open();
        await login.enterUsername(people.alma);
        const window = await openProvider(() => login.microsoft.click());
        await expect(login.providerLine).toHaveText('Continue in the Microsoft window.');
        await expect(login.errorDialog).toBeHidden();
        await login.cancelProvider.click();
        await window.expectClosed();
        await world.provider({ provider: 'microsoft', trouble: 'none' });
        const again = await openProvider(() => login.microsoft.click());
        await again.finish();

        await ledger.expectSignedIn('Alma');
        expect(await world.calls(tokenCall)).toHaveLength(1);
      },
    );
  }
});
