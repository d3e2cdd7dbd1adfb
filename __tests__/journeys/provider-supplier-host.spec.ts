import { accountOf } from './support/accountOf';
import { offered, providers, withSeveralApplications } from './support/providerPeople';
import { carriersOf } from './support/secretTraces';
import { expect, test } from './support/test';

test.describe('On a supplier host', () => {
  for (const openerPolicy of ['unsafe-none', 'same-origin', 'same-origin-allow-popups'] as const) {
    for (const { provider, brand, only } of providers) {
      test(`${brand} (${openerPolicy}) signs in and verifies identity`, async ({
        page,
        world,
        login,
        twoStep,
        openProvider,
        providerTraffic,
      }) => {
        const { personas } = withSeveralApplications(world, only);
        await world.account(accountOf(only, { methods: [offered[provider]], personas }));
        await world.provider({ provider, openerPolicy });
        const suppliers = world.origin('suppliers');
        await page.goto(`${suppliers}/login`);
        const signIn = await openProvider(() => login.enterUsername(only));
        await signIn.finish();
        await expect(page).toHaveURL(`${suppliers}/account-settings`);
        await signIn.expectClosed();
        expect(carriersOf(providerTraffic, providerTraffic.code())).toEqual([
          `GET ${world.origin('app')}/oauth-redirect in the address`,
          `GET ${suppliers}/oauth-redirect in the address`,
          `POST ${world.origin('api')}/auth/v1/token in the body`,
        ]);

        await twoStep.getStarted.click();
        await twoStep.authenticatorApp.click();
        const proof = await openProvider(() => twoStep.nextButton.click());
        await proof.signIn();
        await expect(page).toHaveURL(new RegExp(`^${suppliers}/qrcode-start/[^/]+$`));
        await proof.expectClosed();
        const cookies = await page.context().cookies(suppliers);
        expect(cookies.filter(({ name }) => name.includes('oauth'))).toEqual([]);
      });
    }
  }
});

test.describe('A state that names a host', () => {
  const random = 'A'.repeat(43);

  for (const { what, host } of [
    { what: 'of a stranger', host: (port: number) => `evil.localhost:${String(port)}` },
    {
      what: 'of ours that is no supplier host',
      host: (port: number) => `ledger.payments.localhost:${String(port)}`,
    },
    { what: 'without its port', host: () => 'suppliers.payments.localhost' },
    {
      what: 'with more behind it',
      host: (port: number) => `suppliers.payments.localhost:${String(port)}@evil.localhost`,
    },
  ]) {
    test(`${what} leads nowhere`, async ({ page, world, providerTraffic }) => {
      await page.goto(`/oauth-redirect?code=stolen&state=${random}.${encodeURIComponent(host(world.port))}`);

      await expect(page.getByText('You can close this window.', { exact: true })).toBeVisible();
      await expect(page).toHaveURL(`${world.origin('app')}/oauth-redirect`);
      expect(carriersOf(providerTraffic, 'stolen')).toEqual([
        `GET ${world.origin('app')}/oauth-redirect in the address`,
      ]);
    });
  }

  test('of a supplier where no flow began hands nothing over there', async ({ page, world }) => {
    const host = new URL(world.origin('suppliers')).host;
    await page.goto(`/oauth-redirect?code=stolen&state=${random}.${encodeURIComponent(host)}`);

    await expect(page).toHaveURL(`${world.origin('suppliers')}/oauth-redirect`);
    await expect(page.getByText('You can close this window.', { exact: true })).toBeVisible();
    expect(await world.calls()).toEqual([]);
  });
});
