import * as client from 'openid-client';
import { issuer } from '../support/testService.ts';
import { Browser, callback, secret, startProvider } from './application.ts';

it('openid-client signs in, renews, reads the user, and signs out', async () => {
  await using service = await startProvider();
  const { uid } = await service.write();
  const browser = new Browser(service);
  await browser.signIn();
  const configuration = await client.discovery(new URL(issuer), 'reports', secret, undefined, {
    execute: [client.allowInsecureRequests],
    // The host of the issuer leads nowhere here.
    [client.customFetch]: (address, options) => {
      const { pathname, search } = new URL(address);
      return fetch(service.url + pathname + search, options as RequestInit);
    },
  });
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callback,
    scope: 'openid email offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  });
  const { location } = await browser.get(address.href);
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 60 };
  const tokens = await client.authorizationCodeGrant(configuration, new URL(location), checks);
  expect(tokens.claims()).toMatchObject({ sub: uid, email: 'ada@example.com' });

  const renewed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
  expect(await client.fetchUserInfo(configuration, renewed.access_token, uid)).toMatchObject({ sub: uid });
  expect(await client.tokenIntrospection(configuration, renewed.access_token)).toMatchObject({
    active: true,
  });

  const end = client.buildEndSessionUrl(configuration, {
    id_token_hint: renewed.id_token ?? '',
    post_logout_redirect_uri: 'https://reports.example.com/bye',
  });
  expect((await browser.get(end.href)).location).toBe('https://reports.example.com/bye');
  await expect(client.refreshTokenGrant(configuration, renewed.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});
