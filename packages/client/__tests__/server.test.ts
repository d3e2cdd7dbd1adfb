/** @jest-environment node */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { createVerifier, type Verifier } from '../src/server';

const issuer = 'https://api.example';
const keyNamed = async (kid: string) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
};
type Key = Awaited<ReturnType<typeof keyNamed>>;
const seconds = () => Math.floor(Date.now() / 1000);
const sign = ({ kid, privateKey }: Key, claims: JWTPayload = {}, header: Partial<JWTHeaderParameters> = {}) =>
  new SignJWT({
    uid: 'u_1',
    iss: issuer,
    iat: seconds(),
    exp: seconds() + 900,
    personas: { ledger: [{}] },
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header })
    .sign(privateKey);

let key: Key;
let published: unknown;
let requests = 0;
const host = createServer((_request, response) => {
  requests += 1;
  if (published === null) response.writeHead(503).end();
  else response.end(JSON.stringify({ keys: published }));
});
let jwksUrl: string;
let verifier: Verifier;
let now = 0;

beforeAll(async () => {
  key = await keyNamed('one');
  await new Promise<void>((resolve) => void host.listen(0, '127.0.0.1', resolve));
  jwksUrl = `http://127.0.0.1:${String((host.address() as AddressInfo).port)}`;
});
afterAll(() => new Promise((resolve) => host.close(resolve)));
beforeEach(() => {
  published = [key.jwk];
  requests = 0;
  now = 1;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  verifier = createVerifier({ issuer, jwksUrl });
});
afterEach(() => jest.restoreAllMocks());

const refused = (reason: string) => ({ ok: false, reason });

it('tells whose a token is, bare or in its header, with one request for the keys', async () => {
  const token = await sign(key);
  for (const bearer of [token, `Bearer ${token}`])
    expect(await verifier.verify(bearer)).toMatchObject({
      ok: true,
      claims: { uid: 'u_1', personas: { ledger: [] } },
    });
  await Promise.all([verifier.verify(token), verifier.verify(token)]);
  expect(requests).toBe(1);
});

it.each<[string, string, (own: Key) => Promise<string | undefined> | string | undefined]>([
  ['nothing', 'missing', () => undefined],
  ['an empty header', 'missing', () => 'Bearer '],
  ['an empty header, as Node reads it', 'missing', () => 'Bearer'],
  ['a word', 'malformed', () => 'token'],
  ['a header that is null', 'malformed', () => 'bnVsbA.e30.AA'],
  ['claims that are null', 'malformed', () => 'e30.bnVsbA.AA'],
  ['a token without a uid', 'malformed', (own) => sign(own, { uid: '' })],
  ['a token without a time of issue', 'malformed', (own) => sign(own, { iat: '1' as never })],
  ['a token of another issuer', 'issuer', (own) => sign(own, { iss: 'https://evil.example' })],
  ['an expired token', 'expired', (own) => sign(own, { iat: seconds() - 900, exp: seconds() })],
  ['a token of tomorrow', 'notYetIssued', (own) => sign(own, { iat: seconds() + 60 })],
  ['a setup token', 'type', (own) => sign(own, {}, { typ: 'mfa-setup+jwt' })],
  ['a token without a signature', 'algorithm', async (own) => (await sign(own)).replace(/^[^.]+/, unsigned)],
  [
    'a changed token',
    'signature',
    async (own) => (await sign(own)).replace(/\.[^.]+\./, `.${payload({ uid: 'u_2' })}.`),
  ],
  ['a key that is not published', 'key', async () => sign(await keyNamed('two'))],
  ['a key that pretends to be the published one', 'signature', async () => sign(await keyNamed('one'))],
])('refuses %s: %s', async (_case, reason, make) => {
  expect(await verifier.verify(await make(key))).toEqual(refused(reason));
});

const payload = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const unsigned = payload({ alg: 'none', typ: 'at+jwt', kid: 'one' });

it('checks the audience if there is one', async () => {
  const ours = createVerifier({ issuer, jwksUrl, audience: 'ledger' });
  expect(await ours.verify(await sign(key))).toEqual(refused('audience'));
  expect(await ours.verify(await sign(key, { aud: 'hub' }))).toEqual(refused('audience'));
  for (const aud of ['ledger', ['hub', 'ledger']])
    expect(await ours.verify(await sign(key, { aud }))).toMatchObject({ ok: true });
});

describe('an access token of OpenID Connect', () => {
  const openid = { uid: undefined, sub: 'u_7', client_id: 'grafana', aud: 'ledger', scope: 'openid profile' };

  it('is accepted by the audience that it names, and says who its client is', async () => {
    const ours = createVerifier({ issuer, jwksUrl, audience: 'ledger' });
    for (const aud of ['ledger', ['hub', 'ledger']])
      expect(await ours.verify(await sign(key, { ...openid, aud }))).toMatchObject({
        ok: true,
        claims: { uid: 'u_7' },
        client: { id: 'grafana', scopes: ['openid', 'profile'] },
      });
  });

  it('has the subject as its user, whatever else it says', async () => {
    const ours = createVerifier({ issuer, jwksUrl, audience: 'ledger' });
    expect(await ours.verify(await sign(key, { ...openid, uid: 'u_1' }))).toMatchObject({
      claims: { uid: 'u_7' },
    });
    const { sub: _absent, ...withoutSubject } = openid;
    expect(await ours.verify(await sign(key, { ...withoutSubject, uid: 'u_1' }))).toEqual(
      refused('malformed'),
    );
  });

  it('is refused by a verifier without an audience, even with the claims of a session', async () => {
    for (const claims of [openid, { client_id: 'grafana' }, { client_id: 'grafana', aud: issuer }])
      expect(await verifier.verify(await sign(key, claims))).toEqual(refused('audience'));
  });

  it.each<[string, string, JWTPayload, Partial<JWTHeaderParameters>]>([
    ['for another audience', 'audience', { aud: 'hub' }, {}],
    ['for none', 'audience', { aud: [] }, {}],
    ['with an audience that only begins alike', 'audience', { aud: 'ledger2' }, {}],
    ['without the name of its client', 'malformed', { client_id: '' }, {}],
    ['whose client is no text', 'malformed', { client_id: null }, {}],
    ['that is bound to a key', 'type', { cnf: { jkt: 'thumbprint' } }, {}],
    ['that is an ID token', 'type', {}, { typ: 'JWT' }],
    ['that has expired', 'expired', { iat: seconds() - 900, exp: seconds() }, {}],
  ])('%s is refused: %s', async (_case, reason, claims, header) => {
    const ours = createVerifier({ issuer, jwksUrl, audience: 'ledger' });
    expect(await ours.verify(await sign(key, { ...openid, ...claims }, header))).toEqual(refused(reason));
  });
});

it('a session token names no client', async () => {
  expect(await verifier.verify(await sign(key))).not.toHaveProperty('client');
});

it('follows a key set that changes, without asking more than once in 10 s', async () => {
  const old = await sign(key);
  expect(await verifier.verify(old)).toMatchObject({ ok: true });
  const other = await keyNamed('two');
  const token = await sign(other);
  published = [{ kty: 'RSA', kid: 'rsa' }, other.jwk];
  expect(await verifier.verify(token)).toEqual(refused('key'));
  expect(requests).toBe(1);
  now += 10_001;
  expect(await verifier.verify(token)).toMatchObject({ ok: true });
  expect(await verifier.verify(old)).toEqual(refused('key'));
  expect(requests).toBe(2);
});

it.each<[string, unknown]>([
  ['null', null],
  ['without its numbers', { kty: 'EC', crv: 'P-256', kid: 'two' }],
  ['off the curve', { kty: 'EC', crv: 'P-256', kid: 'two', x: 'AA', y: 'AA' }],
])('uses the good keys of a set with one that is %s', async (_case, broken) => {
  published = [broken, key.jwk];
  expect(await verifier.verify(await sign(key))).toMatchObject({ ok: true });
  expect(await verifier.verify(await sign(await keyNamed('two')))).toEqual(refused('key'));
});

it('uses keys for five minutes, and then refuses what it cannot check', async () => {
  const token = await sign(key);
  await verifier.verify(token);
  published = null;
  now += 300_000;
  expect(await verifier.verify(token)).toMatchObject({ ok: true });
  now += 1;
  expect(await verifier.verify(token)).toEqual(refused('keysUnavailable'));
  published = [key.jwk];
  now += 10_001;
  expect(await verifier.verify(token)).toMatchObject({ ok: true });
});

describe('the receipt of a confirmed payment', () => {
  const payment = {
    ...{ jti: 'c_1', sub: 'u_2', aud: 'ledger', application: 'Ledger' },
    amount: { value: '149.90', currency: 'EUR' },
    payee: { name: 'Northwind GmbH' },
  };
  const proof = {
    ...{
      method: 'passkey',
      auth_time: 1,
      acr: 'urn:vestibule:2',
      amr: ['hwk', 'user', 'mfa'],
      enrolled_at: 2,
    },
  };
  const confirmed = {
    ...{ id: 'c_1', uid: 'u_2', iat: expect.any(Number) as number, application: 'Ledger' },
    ...{ amount: payment.amount, payee: payment.payee },
  };
  const typ = 'confirmation+jwt';
  const receipt = (claims: object = {}, header: Partial<JWTHeaderParameters> = { typ }, own = key) =>
    sign(own, { ...payment, ...proof, ...claims }, header);
  const event = (claims: object = {}) =>
    sign(key, { ...payment, ...claims }, { typ: 'confirmation-event+jwt' });

  it('is accepted by the client that asked, and only as a receipt', async () => {
    const own = createVerifier({ issuer, jwksUrl, audience: 'ledger' });
    expect(await own.verifyConfirmation(await receipt())).toEqual({
      ok: true,
      confirmation: {
        ...{ ...confirmed, state: 'confirmed', method: 'passkey', acr: 'urn:vestibule:2' },
        ...{ authTime: 1, amr: ['hwk', 'user', 'mfa'], enrolledAt: 2 },
      },
    });
    expect(await own.verify(await receipt())).toEqual(refused('type'));
    expect(await verifier.verifyConfirmation(await receipt())).toEqual(refused('audience'));
  });

  it.each(['confirmed', 'declined', 'failed', 'expired'])(
    'is no event about the end, which says how a payment ended, and nothing of a proof: %s',
    async (state) => {
      const own = createVerifier({ issuer, jwksUrl, audience: 'ledger' });
      const method = 'passkey';
      expect(await own.verifyConfirmation(await event({ state, method }))).toEqual({
        ok: true,
        confirmation: { ...confirmed, state },
      });
      expect(await own.verify(await event({ state }))).toEqual(refused('type'));
      // A state beside the proof does not count.
      expect(await own.verifyConfirmation(await receipt({ state }))).toMatchObject({
        confirmation: { state: 'confirmed' },
      });
    },
  );

  it('is verified by the key that was kept with it, without a request, and only by that', async () => {
    const kept = createVerifier({ issuer, jwksUrl, audience: 'ledger', keys: { keys: [key.jwk] } });
    const [made, token] = [await receipt(), await sign(key, { aud: 'ledger' })];
    published = [];
    expect(await kept.verifyConfirmation(made)).toMatchObject({ ok: true });
    expect(requests).toBe(0);
    const other = await keyNamed('two');
    published = [other.jwk];
    expect(await kept.verifyConfirmation(await receipt({}, { typ }, other))).toEqual(refused('key'));
    expect(await kept.verifyConfirmation(await receipt({}, { typ }, await keyNamed('one')))).toEqual(
      refused('signature'),
    );
    // Stored keys are not for session tokens.
    expect(await kept.verify(token)).toEqual(refused('key'));
  });

  it.each<[string, () => Promise<string>]>([
    ['audience', () => receipt({ aud: 'other' })],
    ['type', () => receipt({}, {})],
    ['type', () => receipt({ cnf: { jkt: 'x' } })],
    ['issuer', () => receipt({ iss: 'https://evil.example' })],
    ['malformed', () => receipt({ amount: 'x' })],
    ['malformed', () => receipt({ payee: null })],
    ['malformed', () => receipt({ application: undefined })],
    ['malformed', () => event()],
    ['audience', () => event({ state: 'declined', aud: 'other' })],
    ['signature', async () => `${(await receipt()).split('.').slice(0, 2).join('.')}.${'A'.repeat(86)}`],
    ['key', async () => receipt({}, { typ }, await keyNamed('other'))],
  ])('is refused: %s', async (reason, made) => {
    const own = createVerifier({ issuer, jwksUrl, audience: 'ledger' });
    expect(await own.verifyConfirmation(await made())).toEqual(refused(reason));
  });
});
