/** @jest-environment node */
import { generateKeyPair, SignJWT } from 'jose';
import {
  account,
  issuer,
  signIn,
  startTestService,
  text,
  type Answer,
  type TestService,
} from './support/testService';

jest.setTimeout(120_000);

const unauthorized = {
  error: { message: 'Your session has ended. Please sign in again.', code: 'unauthorized' },
};

describe('the signed-in user reads the account', () => {
  let world: TestService;
  let uid: string;
  let token: string;

  const read = (bearer: string, whose = uid): Promise<Answer> =>
    world.get(`/user-management/v1/users/${encodeURIComponent(whose)}`, { bearer });

  beforeAll(async () => {
    world = await startTestService({ database: { folder: null } });
  });
  afterAll(async () => {
    await world.close();
  });
  beforeEach(async () => {
    await world.service.directory.resetAll();
    ({ uid } = await world.service.directory.upsertAccount(account()));
    token = text(await signIn(world), 'token');
  });

  it('with nothing set up and a password never changed', async () => {
    expect((await read(token)).body).toEqual({
      data: {
        attributes: {
          email: 'ada@example.com',
          authyActive: false,
          twoFactorActive: false,
          lastReset: null,
        },
      },
    });
  });

  it.each([
    [
      'text messages',
      { type: 'authy', phone: '+12025550143', countryCode: 'US', authyId: '52001' } as const,
      { authyActive: true, twoFactorActive: false },
    ],
    [
      'an authenticator app',
      { type: 'mfa', secret: 'JBSWY3DPEHPK3PXP' } as const,
      { authyActive: false, twoFactorActive: true },
    ],
  ])('with %s on and the time of the last password change', async (_factor, mfa, expected) => {
    const lastReset = new Date('2026-03-01T12:00:00.250Z');
    await world.service.directory.upsertAccount(account({ mfa, lastReset }));
    expect((await read(token)).body).toMatchObject({
      data: { attributes: { ...expected, lastReset: '2026-03-01T12:00:00.250Z' } },
    });
  });

  it('but no one else’s, existing or not', async () => {
    const other = await world.service.directory.upsertAccount(account({ username: 'bob@example.com' }));
    const forbidden = { error: { message: 'You may only read your own account.', code: 'forbidden' } };
    const [existing, missing] = [await read(token, other.uid), await read(token, 'u_none')];
    expect([existing.status, existing.body]).toEqual([403, forbidden]);
    expect([missing.status, missing.body]).toEqual([403, forbidden]);
  });

  it('also in setup mode, with the set-up token, which is good for nothing that needs a session', async () => {
    const mustSetUp = account({ username: 'eve@example.com', mustSetUpMfa: true });
    const eve = await world.service.directory.upsertAccount(mustSetUp);
    const mfaJWT = text(await signIn(world, { username: 'eve@example.com' }), 'mfaJWT');
    expect((await read(mfaJWT, eve.uid)).status).toBe(200);
    const verify = await world.post('/auth/v1/validate-password', { password: 'x' }, { bearer: mfaJWT });
    expect([verify.status, verify.body]).toEqual([401, unauthorized]);
    world.passSeconds(901);
    expect((await read(mfaJWT, eve.uid)).status).toBe(401);
  });

  describe('is refused', () => {
    const forged = async (claims: Record<string, unknown>, type = 'at+jwt'): Promise<string> => {
      const { privateKey } = await generateKeyPair('ES256');
      const { keys } = JSON.parse((await world.get('/.well-known/jwks.json')).text) as {
        keys: [{ kid: string }];
      };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: keys[0].kid, typ: type })
        .setIssuer(issuer)
        .setIssuedAt(Math.floor(world.now() / 1000))
        .setExpirationTime(Math.floor(world.now() / 1000) + 900)
        .sign(privateKey);
    };
    const unsigned = (): string => {
      const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const header = { alg: 'none', typ: 'at+jwt' };
      return `${part(header)}.${part({ uid, sid: 'x', iss: issuer, iat: 1, exp: 9_999_999_999 })}.`;
    };

    it.each([
      ['a token of another key', () => forged({ uid, sid: 'x' })],
      ['a token without a signature', () => Promise.resolve(unsigned())],
      ['a token whose claims were changed', () => Promise.resolve(withOtherClaims(token))],
      ['a trusted-device token', () => world.service.directory.trustDevice('ada@example.com')],
      ['a refresh token', async () => text(await signIn(world), 'refresh')],
      ['no token at all', () => Promise.resolve('')],
    ])('with %s', async (_what, bearer) => {
      const answer = await read(await bearer());
      expect([answer.status, answer.body]).toEqual([401, unauthorized]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    });

    it('with an expired token, from the second of its end on', async () => {
      world.passSeconds(899);
      expect((await read(token)).status).toBe(200);
      world.passSeconds(1);
      expect((await read(token)).body).toEqual(unauthorized);
    });

    it('without a bearer before the request is even looked at', async () => {
      const answer = await world.send('POST', '/mfa/v1/disable', { rawBody: '{"not json' });
      expect([answer.status, answer.body]).toEqual([401, unauthorized]);
    });
  });
});

function withOtherClaims(token: string): string {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const changed = Buffer.from(claims, 'base64url').toString().replace('"method":"basic"', '"method":"other"');
  return [header, Buffer.from(changed).toString('base64url'), signature].join('.');
}
