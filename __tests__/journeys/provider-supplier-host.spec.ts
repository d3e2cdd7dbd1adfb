import { accountOf } from './support/accountOf';
import { offered, providers, withSeveralApplications } from './support/providerUsers';
import { carriersOf } from './support/secretTraces';
import { expect, test } from './support/test';

test.describe('On a supplier host', () => {
  for (const openerPolicy of ['unsafe-none', 'same-origin', 'same-origin-allow-popups'] as const) {
    for (const { provider, brand, only } of providers) {
      test(
        `${brand} (${openerPolicy}) signs in and verifies identity`,
        { tag: '@long' },
        async ({ page, environment, login, twoStep, openProvider, providerTraffic }) => {
          const { personas } = withSeveralApplications(environment, only);
          await environment.account(accountOf(only, { methods: [offered[provider]], personas }));
          await environment.provider({ provider, openerPolicy });
          const suppliers = environment.origin('suppliers');
          await page.goto(`${suppliers}/login`);
          const signIn = await openProvider(() => login.enterUsername(only));
          await signIn.finish();
          await expect(page).toHaveURL(`${suppliers}/account-settings`);
          await signIn.expectClosed();
          expect(carriersOf(providerTraffic, providerTraffic.code())).toEqual([
            `GET ${environment.origin('app')}/oauth-redirect in the address`,
            `GET ${suppliers}/oauth-redirect in the address`,
            `POST ${environment.origin('api')}/auth/v1/token in the body`,
          ]);

          await twoStep.getStarted.click();
          await twoStep.authenticatorApp.click();
          const proof = await openProvider(() => twoStep.nextButton.click());
          await proof.signIn();
          await expect(page).toHaveURL(new RegExp(`^${suppliers}/qrcode-start/[^/]+$`));
          await proof.expectClosed();
          const cookies = await page.context().cookies(suppliers);
          expect(cookies.filter(({ name }) => name.includes('oauth'))).toEqual([]);
        },
      );
    }
  }
});

test.describe('A state that names a host', () => {
  const random = 'A'.repeat(43);

  test(
    'that is not a supplier’s is not forwarded, in any spelling',
    { tag: '@long' },
    async ({ page, environment, providerTraffic }) => {
      const { port } = environment;
      const hosts = [
        `evil.localhost:${String(port)}`,
        // Ours, but not a supplier host.
        `ledger.payments.localhost:${String(port)}`,
        'suppliers.payments.localhost',
        `suppliers.payments.localhost:${String(port)}@evil.localhost`,
      ];
      for (const [at, host] of hosts.entries()) {
        const code = `stolen${String(at)}`;
        await page.goto(`/oauth-redirect?code=${code}&state=${random}.${encodeURIComponent(host)}`);
        await expect(page.getByText('You can close this window.', { exact: true })).toBeVisible();
        await expect(page).toHaveURL(`${environment.origin('app')}/oauth-redirect`);
        expect(carriersOf(providerTraffic, code), host).toEqual([
          `GET ${environment.origin('app')}/oauth-redirect in the address`,
        ]);
      }
    },
  );
});
