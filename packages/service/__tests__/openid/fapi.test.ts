import { createHmac } from 'node:crypto';
import { importPKCS8, exportPKCS8, SignJWT } from 'jose';
import { issuer, type TestService } from '../support/testService.ts';
import { Application, broughtBy, Browser, startProvider, tokensIn } from './application.ts';
import { documentedResults } from './certificationPage.ts';
import { assertionClaims, authenticatedBy, newKey, proof, sign, type Key } from './clientKeys.ts';

let service: TestService;
let browser: Browser;
let keys: Readonly<Record<'bank' | 'insurer' | 'rsa', Key>>;

beforeAll(async () => {
  keys = { bank: await newKey(), insurer: await newKey(), rsa: await newKey('PS256') };
  const strong = { url: undefined, par: true, dpop: true };
  service = await startProvider([
    ...Object.entries(keys).map(([id, { jwk }]) => ({ ...strong, id, jwks: { keys: [jwk] } })),
    { id: 'phone', url: undefined, dpop: true },
  ]);
  await service.write();
  browser = new Browser(service);
  await browser.signIn();
});
afterAll(() => service.close());

const applicationOf = (id: string) => new Application(service, id, null);

/** What authenticates a client for one call. */
const assertionOf = async (id: keyof typeof keys, changes: object = {}) =>
  authenticatedBy(await sign(keys[id], assertionClaims(id, changes)));

const now = () => Math.floor(Date.now() / 1000);

const encoded = (...parts: readonly object[]): string =>
  parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');

test('the page names these modules', () => {
  expect(documentedResults('FAPI 2.0')).toEqual({
    'fapi2-security-profile-final-ensure-invalid-client-assertions-fail': 'passed',
    'fapi2-security-profile-final-refresh-token': 'passed',
  });
});

describe('fapi2-security-profile-final-ensure-invalid-client-assertions-fail', () => {
  const refused = [401, 'invalid_client'];
  const malformed = [400, 'invalid_request'];

  const resultOf = async (form: Readonly<Record<string, string>>, id = 'bank') => {
    const { status, body } = await applicationOf(id).push(form);
    return [status, body['error']];
  };

  it.each<[string, () => object]>([
    ['without an issuer', () => ({ iss: undefined })],
    ['of another issuer', () => ({ iss: 'insurer' })],
    ['without an audience', () => ({ aud: undefined })],
    ['for another service', () => ({ aud: 'https://other.example.com/' })],
    ['for the endpoint of pushed requests', () => ({ aud: `${issuer}/oidc/request` })],
    ['for the token endpoint', () => ({ aud: `${issuer}/oidc/token` })],
    ['for the issuer and another service', () => ({ aud: [issuer, 'https://other.example.com/'] })],
    ['for a list with the issuer', () => ({ aud: [issuer] })],
    ['that ended five minutes ago', () => ({ exp: now() - 300 })],
    ['without an end', () => ({ exp: undefined })],
    ['without an id', () => ({ jti: undefined })],
    ['that begins over a minute ahead', () => ({ iat: now() + 62, nbf: now() + 62, exp: now() + 122 })],
    ['that is issued over a minute ahead', () => ({ iat: now() + 62, nbf: undefined, exp: now() + 122 })],
    ['that ends in over ten minutes', () => ({ exp: now() + 660 })],
    ['that lives for over ten minutes', () => ({ iat: now() - 300, nbf: undefined, exp: now() + 400 })],
  ])('refuses an assertion %s', async (_name, changes) => {
    expect(await resultOf(await assertionOf('bank', changes()))).toEqual(refused);
  });

  it('refuses an assertion without a subject, or with that of another client', async () => {
    expect(await resultOf(await assertionOf('bank', { sub: undefined }))).toEqual(refused);
    expect(await resultOf(await assertionOf('bank', { sub: 'insurer' }))).toEqual(malformed);
  });

  it('refuses a request without an assertion, or with another type of it', async () => {
    const { client_assertion } = await assertionOf('bank');
    expect(await resultOf({})).toEqual(refused);
    expect(await resultOf({ client_assertion })).toEqual(malformed);
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer';
    expect(await resultOf({ client_assertion, client_assertion_type })).toEqual(malformed);
  });

  it('refuses an assertion that the key of the client has not signed', async () => {
    const claims = assertionClaims('bank');
    const [header = '', payload = '', signature = ''] = (await sign(keys.bank, claims)).split('.');
    const changed = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    const byPublicKey = encoded({ alg: 'HS256', kid: 'own' }, claims);
    const hmac = createHmac('sha256', JSON.stringify(keys.bank.jwk)).update(byPublicKey).digest('base64url');
    for (const assertion of [
      [header, payload, changed].join('.'),
      [header, payload, ''].join('.'),
      `${encoded({ alg: 'none' }, claims)}.`,
      `${byPublicKey}.${hmac}`,
      await sign(keys.insurer, claims),
    ])
      expect(await resultOf(authenticatedBy(assertion))).toEqual(refused);
  });

  it('refuses RS256 of a client whose key is for PS256', async () => {
    const privateKey = await importPKCS8(await exportPKCS8(keys.rsa.privateKey), 'RS256');
    const assertion = await new SignJWT(assertionClaims('rsa'))
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .sign(privateKey);
    expect(await resultOf(authenticatedBy(assertion), 'rsa')).toEqual(refused);
    expect(await resultOf(await assertionOf('rsa'), 'rsa')).toEqual([201, undefined]);
  });

  it('accepts a valid assertion once, up to ten minutes long or by a clock that is eight seconds ahead', async () => {
    const valid = await assertionOf('bank');
    expect(await resultOf(valid)).toEqual([201, undefined]);
    expect(await resultOf(valid)).toEqual(refused);
    expect(await resultOf(await assertionOf('bank', { exp: now() + 590 }))).toEqual([201, undefined]);
    const ahead = { iat: now() + 8, nbf: now() + 8, exp: now() + 68 };
    expect(await resultOf(await assertionOf('bank', ahead))).toEqual([201, undefined]);
  });
});

describe('fapi2-security-profile-final-refresh-token', () => {
  /** Signs in by a pushed request. @returns the tokens, which are bound to the key. */
  async function signIn(id: 'bank' | 'insurer', key: Key) {
    const application = applicationOf(id);
    const address = application.pushedAddress(await application.push(await assertionOf(id)));
    const { code = '' } = broughtBy(await browser.get(address));
    const { status, body } = await application.exchange(code, await assertionOf(id), await bound(key));
    expect([status, body['token_type']]).toEqual([200, 'DPoP']);
    return tokensIn(body);
  }

  const bound = async (key: Key) => ({ DPoP: await proof(key, 'POST', '/oidc/token') });

  const refresh = async (id: string, token: string, form: object = {}, headers: object = {}) => {
    const given = { grant_type: 'refresh_token', refresh_token: token, ...form };
    const { status, body } = await applicationOf(id).post('/oidc/token', given, headers);
    return { status, body, error: body['error'] };
  };

  it('gives tokens of the same sign-in again and again, for another key too, and stays as it is', async () => {
    const first = await signIn('bank', await newKey());
    expect(first.refresh).toMatch(/^[\x20-\x7e]{22,}$/);
    const accesses = new Set([first.access]);
    for (let count = 0; count < 3; count += 1) {
      const { status, body } = await refresh(
        'bank',
        first.refresh,
        await assertionOf('bank'),
        await bound(await newKey()),
      );
      expect([status, body['token_type']]).toEqual([200, 'DPoP']);
      const next = tokensIn(body);
      const { iss, sub, aud, sid, auth_time } = first.claims;
      expect(next.claims).toMatchObject({ iss, sub, aud, sid, auth_time });
      expect(next.refresh).toBe(first.refresh);
      accesses.add(next.access);
    }
    expect(accesses.size).toBe(4);
  });

  it('gives nothing without the client, or to another client', async () => {
    const key = await newKey();
    const { refresh: token } = await signIn('insurer', key);
    expect(await refresh('insurer', token, {}, await bound(key))).toMatchObject({
      status: 401,
      error: 'invalid_client',
    });
    expect(await refresh('bank', token, await assertionOf('bank'), await bound(key))).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
    const own = await refresh('insurer', token, await assertionOf('insurer'), await bound(key));
    expect(own.status).toBe(200);
  });

  it('gives nothing without a proof of possession, which is said', async () => {
    const { refresh: token } = await signIn('bank', await newKey());
    const missing = { status: 400, error: 'invalid_dpop_proof' };
    expect(await refresh('bank', token, await assertionOf('bank'))).toMatchObject(missing);
    const application = applicationOf('phone');
    const exchanged = await application.exchange(await application.code(browser));
    expect({ status: exchanged.status, error: exchanged.body['error'] }).toEqual(missing);
  });

  it('of a client without a secret is bound to its key, and stays as it is', async () => {
    const application = applicationOf('phone');
    const key = await newKey();
    const { body } = await application.exchange(await application.code(browser), {}, await bound(key));
    const { refresh: token } = tokensIn(body);
    expect(await refresh('phone', token, {}, await bound(await newKey()))).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
    for (let count = 0; count < 2; count += 1) {
      const renewed = await refresh('phone', token, {}, await bound(key));
      expect([renewed.status, renewed.body['refresh_token']]).toEqual([200, token]);
    }
  });
});
