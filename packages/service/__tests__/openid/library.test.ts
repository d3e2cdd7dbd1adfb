import { exportJWK } from 'jose';
import * as client from 'openid-client';
import { issuer, type TestService } from '../support/testService.ts';
import { Browser, broughtBy, callback, read, secret, startProvider } from './application.ts';

/** The library for a client of the service. */
const discover = (service: TestService, id: string, ownSecret?: string, method?: client.ClientAuth) =>
  client.discovery(new URL(issuer), id, ownSecret, method, {
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    // The host of the issuer leads nowhere here.
    [client.customFetch]: (address, options) => {
      const { pathname, search } = new URL(address);
      return fetch(service.url + pathname + search, options as RequestInit);
    },
  });

/** The parameters of a request, and the checks of its response. */
async function newRequest(scope: string) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  const parameters = {
    redirect_uri: callback,
    scope,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  };
  return { parameters, checks: { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 60 } };
}

it('openid-client signs in, renews, reads the user, and signs out', async () => {
  await using service = await startProvider();
  const { uid } = await service.write();
  const browser = new Browser(service);
  await browser.signIn();
  const configuration = await discover(service, 'reports', secret);
  const { parameters, checks } = await newRequest('openid email offline_access');
  const address = client.buildAuthorizationUrl(configuration, parameters);
  const { location } = await browser.get(address.href);
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

it('openid-client signs in with pushed requests, a signed assertion and DPoP, and with nothing less', async () => {
  const { privateKey, publicKey } = await client.randomDPoPKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'own', alg: 'ES256', use: 'sig' }] };
  await using service = await startProvider([{ id: 'treasury', jwks, par: true, dpop: true }]);
  const { uid } = await service.write();
  const browser = new Browser(service);
  await browser.signIn();
  const configuration = await discover(
    service,
    'treasury',
    undefined,
    client.PrivateKeyJwt({ key: privateKey, kid: 'own' }),
  );
  const DPoP = client.getDPoPHandle(configuration, await client.randomDPoPKeyPair('ES256'));
  const codeFor = async () => {
    const { parameters, checks } = await newRequest('openid email offline_access');
    const address = await client.buildAuthorizationUrlWithPAR(configuration, parameters, { DPoP });
    expect([...address.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    return { location: new URL((await browser.get(address.href)).location), checks };
  };

  const { location, checks } = await codeFor();
  const tokens = await client.authorizationCodeGrant(configuration, location, checks, undefined, { DPoP });
  expect(tokens.claims()).toMatchObject({ sub: uid });
  expect(tokens.token_type).toBe('dpop');
  const renewed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '', undefined, {
    DPoP,
  });
  const user = await client.fetchUserInfo(configuration, renewed.access_token, uid, { DPoP });
  expect(user).toMatchObject({ sub: uid, email: 'ada@example.com' });

  const { parameters } = await newRequest('openid');
  const plain = client.buildAuthorizationUrl(configuration, parameters);
  expect(broughtBy(await browser.get(plain.href))).toMatchObject({ error: 'invalid_request' });
  const unbound = await codeFor();
  await expect(
    client.authorizationCodeGrant(configuration, unbound.location, unbound.checks),
  ).rejects.toMatchObject({ status: 400 });
  await expect(
    client.buildAuthorizationUrlWithPAR(await discover(service, 'treasury', secret), parameters),
  ).rejects.toMatchObject({ error: 'invalid_client' });
  const Authorization = `Bearer ${renewed.access_token}`;
  const stolen = await read(await fetch(`${service.url}/oidc/userinfo`, { headers: { Authorization } }));
  expect(stolen.status).toBe(401);
});
