import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { googleClientId, microsoftClientId } from '@vestibule/local';
import { lineBesideGoogle } from './pages/ProviderWindow';
import { cookieName } from './support/familyCookies';
import { users, tokenCall } from './support/users';
import { withSeveralApplications } from './support/providerUsers';
import { expect, test } from './support/test';

/** 256 bits in base64url. */
const random = expect.stringMatching(/^[\w-]{43}$/) as unknown;
const session = [cookieName.session, cookieName.refresh];

test.describe('Signing in with a provider', () => {
  test('sends Google exactly these parameters, and uses the code in one call', async ({
    environment,
    cookies,
    login,
    ledger,
    openProvider,
    providerTraffic,
  }) => {
    await login.open();
    const window = await openProvider(() => login.enterUsername(users.googleOnly));
    await expect(login.providerLine).toHaveText(lineBesideGoogle);
    await expect(window.email).toHaveValue(users.googleOnly);
    await window.finish();
    await ledger.expectSignedIn('Gina');
    await window.expectClosed();

    expect([...providerTraffic.authorization('google').searchParams].sort()).toEqual([
      ['client_id', googleClientId],
      ['login_hint', users.googleOnly],
      ['prompt', 'consent'],
      ['redirect_uri', `${environment.origin('app')}/oauth-redirect`],
      ['response_type', 'code'],
      ['scope', 'profile email openid'],
      ['state', random],
    ]);
    expect(await environment.bodies(tokenCall)).toEqual([
      { username: users.googleOnly, method: 'google', code: providerTraffic.code() },
    ]);
    expect(await cookies.names()).toEqual(session);
  });

  test(
    'sends Microsoft exactly these parameters, including the challenge of the verifier',
    { tag: '@engines' },
    async ({ environment, cookies, login, settings, openProvider, providerTraffic }) => {
      await environment.account(withSeveralApplications(environment, users.allMethods));
      await login.open();
      await login.enterUsername(users.allMethods);
      const window = await openProvider(() => login.microsoft.click());
      await window.finish();
      await settings.expectOpen();
      await window.expectClosed();

      const [body, ...more] = await environment.bodies(tokenCall);
      const { codeVerifier } = v.parse(v.object({ codeVerifier: v.string() }), body);
      expect(more).toEqual([]);
      expect(body).toEqual({
        username: users.allMethods,
        method: 'microsoft',
        code: providerTraffic.code(),
        codeVerifier: random,
      });
      const { searchParams } = providerTraffic.authorization('microsoft');
      expect([...searchParams].sort()).toEqual([
        ['client_id', microsoftClientId],
        ['code_challenge', createHash('sha256').update(codeVerifier).digest('base64url')],
        ['code_challenge_method', 'S256'],
        ['login_hint', users.allMethods],
        ['nonce', random],
        ['redirect_uri', `${environment.origin('app')}/oauth-redirect`],
        ['response_type', 'code'],
        ['scope', 'offline_access user.read'],
        ['state', random],
      ]);
      expect(new Set([searchParams.get('nonce'), searchParams.get('state'), codeVerifier]).size).toBe(3);
      expect(await cookies.names()).toEqual(session);
    },
  );
});
