import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { googleClientId, microsoftClientId } from '../../local/providers/registration';
import { people, tokenCall } from './support/people';
import { expect, test } from './support/test';

/** 256 bits in base64url. */
const random = expect.stringMatching(/^[\w-]{43}$/) as unknown;

test.describe('The page of a provider', () => {
  test('is asked of Google with exactly what the specification names', async ({
    world,
    login,
    openProvider,
    providerTraffic,
  }) => {
    await login.open();
    const window = await openProvider(() => login.enterUsername(people.gina));
    await expect(window.email).toHaveValue(people.gina);

    expect([...providerTraffic.authorization('google').searchParams].sort()).toEqual([
      ['client_id', googleClientId],
      ['login_hint', people.gina],
      ['prompt', 'consent'],
      ['redirect_uri', `${world.origin('app')}/oauth-redirect`],
      ['response_type', 'code'],
      ['scope', 'profile email openid'],
      ['state', random],
    ]);
  });

  test('is asked of Microsoft with exactly what the specification names, with the challenge of the verifier', async ({
    world,
    login,
    ledger,
    openProvider,
    providerTraffic,
  }) => {
    await login.open();
    const window = await openProvider(() => login.enterUsername(people.mick));
    await window.finish();
    await ledger.expectSignedIn('Mick');

    const { searchParams } = providerTraffic.authorization('microsoft');
    const { codeVerifier } = v.parse(
      v.object({ codeVerifier: v.string() }),
      (await world.bodies(tokenCall))[0],
    );
    expect([...searchParams].sort()).toEqual([
      ['client_id', microsoftClientId],
      ['code_challenge', createHash('sha256').update(codeVerifier).digest('base64url')],
      ['code_challenge_method', 'S256'],
      ['login_hint', people.mick],
      ['nonce', random],
      ['redirect_uri', `${world.origin('app')}/oauth-redirect`],
      ['response_type', 'code'],
      ['scope', 'offline_access user.read'],
      ['state', random],
    ]);
    expect(new Set([searchParams.get('nonce'), searchParams.get('state'), codeVerifier]).size).toBe(3);
  });
});
