import { cookieName } from './support/familyCookies';
import { people, tokenCall } from './support/people';
import { offered, providers, withSeveralApplications } from './support/providerPeople';
import { accountOf } from './support/accountOf';
import { expect, test } from './support/test';

/** 256 bits in base64url. */
const random = expect.stringMatching(/^[\w-]{43}$/) as unknown;
const session = [cookieName.session, cookieName.refresh];

test.describe('Signing in through a provider', () => {
  for (const { provider, brand, only, firstName } of providers) {
    test(`${brand} leads somebody with one application to it, for one code and one call`, async ({
      world,
      cookies,
      login,
      ledger,
      openProvider,
      providerTraffic,
    }) => {
      await login.open();
      const window = await openProvider(() => login.enterUsername(only));
      await expect(login.providerLine).toHaveText(`Continue in the ${brand} window.`);
      await expect(window.email).toHaveValue(only);
      await window.finish();

      await ledger.expectSignedIn(firstName);
      await window.expectClosed();
      expect(await world.bodies(tokenCall)).toEqual([
        {
          username: only,
          method: provider,
          code: providerTraffic.code(),
          ...(provider === 'microsoft' ? { codeVerifier: random } : {}),
        },
      ]);
      expect(await cookies.names()).toEqual(session);
    });

    test(`${brand} leads somebody with several applications to the account settings`, async ({
      world,
      cookies,
      login,
      settings,
      openProvider,
    }) => {
      await world.account(withSeveralApplications(world, people.alma));
      await login.open();
      await login.enterUsername(people.alma);
      const window = await openProvider(() => login[provider].click());
      await window.finish();

      await settings.expectOpen();
      await window.expectClosed();
      expect(await world.calls(tokenCall)).toHaveLength(1);
      expect(await cookies.names()).toEqual(session);
    });
  }

  test('drops the plus-suffix for the provider only, and remembers the username as it was typed', async ({
    world,
    cookies,
    login,
    ledger,
    openProvider,
    providerTraffic,
  }) => {
    await login.open();
    await login.rememberMe.check();
    await login.enterUsername(people.petra);
    const window = await openProvider(() => login.google.click());
    await expect(window.email).toHaveValue('petra@payments.example');
    await window.finish();

    await ledger.expectSignedIn('Petra');
    expect(await world.bodies(tokenCall)).toEqual([
      { username: people.petra, method: 'google', code: providerTraffic.code() },
    ]);
    expect(await cookies.read(cookieName.username)).toBe(people.petra);
  });

  test('asks for the second step where the account has one', async ({ page, world, login, openProvider }) => {
    const mfa = { type: 'mfa', secret: 'KVKFKRCPNZQUYMLXOVYDSQKJKZDTSRLD' } as const;
    await world.account(accountOf(people.theo, { methods: [offered.google], mfa }));
    await login.open();
    const window = await openProvider(() => login.enterUsername(people.theo));
    await window.finish();

    await expect(page.getByRole('heading', { name: 'Enter MFA Code' })).toBeVisible();
    await window.expectClosed();
  });

  test('lets somebody who has to set up two-step verification in for that alone', async ({
    world,
    cookies,
    login,
    settings,
    openProvider,
  }) => {
    await world.account(accountOf(people.suki, { methods: [offered.microsoft], mustSetUpMfa: true }));
    await login.open();
    const window = await openProvider(() => login.enterUsername(people.suki));
    await window.finish();

    await settings.expectOpen();
    expect(await cookies.names()).toEqual([cookieName.setup]);
  });
});
