import { decodeJwt, generateKeyPair, SignJWT } from 'jose';
import { newShortId } from '../src/platform/security/opaqueTokens.ts';
import { anObjectWith } from './support/matchers.ts';
import { newDatabase, withClient } from './support/postgres.ts';
import { app, outcome, sms, unauthorized } from './support/secondStep.ts';
import { ada, describeService, issuer, startTestService, text } from './support/testService.ts';

const ended = {
  error: { message: 'Your session has ended. Please sign in again.', code: 'invalid_refresh' },
};

describeService('a session', (service) => {
  let uid: string;

  const refresh = (token: string) => service.refresh(token);
  const rotate = async (token: string): Promise<string> => text(await refresh(token), 'refresh');
  const open_ = async (): Promise<string> => text(await service.signIn(), 'refresh');
  const readUser = (bearer: string) => service.readUser(uid, bearer);

  beforeEach(async () => {
    ({ uid } = await service.write());
  });

  it('gets a new pair of tokens at each refresh', async () => {
    const first = await open_();
    service.passSeconds(450);
    const response = await refresh(first);
    expect(response.status).toBe(200);
    expect(Object.keys(response.body).sort()).toEqual(['refresh', 'token']);
    expect(text(response, 'refresh')).not.toBe(first);
    for (const token of [first, text(response, 'refresh')])
      expect(Buffer.from(token, 'base64url').byteLength).toBe(32);
    expect(decodeJwt(text(response, 'token'))).toMatchObject({ uid, iat: Math.floor(service.now() / 1000) });
    expect((await readUser(text(response, 'token'))).status).toBe(200);
  });

  it('survives a lost response: a refresh token is answered again for 10 seconds, with the same successor', async () => {
    const first = await open_();
    const second = await rotate(first);
    service.passSeconds(10);
    expect(await rotate(first)).toBe(second);
    expect((await refresh(second)).status).toBe(200);
  });

  it('returns the newest token when other clients have refreshed further within the 10 seconds', async () => {
    const first = await open_();
    const third = await rotate(await rotate(first));
    expect(await rotate(first)).toBe(third);
    expect((await refresh(third)).status).toBe(200);
  });

  it('ends for attacker and owner when a used refresh token is sent later', async () => {
    const first = await open_();
    const response = await refresh(first);
    service.passSeconds(11);

    expect(outcome(await refresh(first))).toEqual([401, ended]);
    expect((await refresh(text(response, 'refresh'))).body).toEqual(ended);
    expect((await readUser(text(response, 'token'))).status).toBe(401);
    expect(service.log.entries()).toContainEqual({
      level: 'warn',
      event: 'audit',
      fields: anObjectWith({ what: 'refresh-reuse', uid }),
    });
  });

  it('does not end other sessions of the user when it ends by reuse', async () => {
    const stolen = await open_();
    const other = await open_();
    await rotate(stolen);
    service.passSeconds(11);
    await refresh(stolen);
    expect((await refresh(other)).status).toBe(200);
  });

  it('ends when its user starts the hundredth session after it, which is recorded; later sessions and those of others go on', async () => {
    const grace = await service.signedIn({ username: 'grace@example.com', email: 'grace@example.com' });
    const oldest = await service.signIn();
    service.passSeconds(1);
    const next = await open_();
    for (let more = 2; more < 100; more += 1) await open_();
    expect((await readUser(text(oldest, 'token'))).status).toBe(200);
    const newest = await service.signIn();
    expect((await readUser(text(oldest, 'token'))).status).toBe(401);
    expect((await refresh(text(oldest, 'refresh'))).body).toEqual(ended);
    for (const one of [next, text(newest, 'refresh')]) expect((await refresh(one)).status).toBe(200);
    expect((await service.readUser(grace.uid, grace.bearer)).status).toBe(200);
    const events = [];
    for await (const { event } of service.directory.auditLog.read({ username: ada })) events.push(event);
    expect(events.slice(-3)).toEqual(['sign-in', 'sessions-ended', 'sign-in']);
    expect(events.filter((event) => event === 'sessions-ended')).toHaveLength(1);
  });

  it('has an id that no command takes for an option', () => {
    const ids = Array.from({ length: 2000 }, newShortId);
    expect(ids.filter((id) => !/^\w[\w-]{15}$/.test(id))).toEqual([]);
  });

  it('ends after 8 hours without a refresh', async () => {
    const first = await open_();
    service.passSeconds(28_800);
    expect((await refresh(first)).body).toEqual(ended);
  });

  it('ends after 24 hours, even with refreshes', async () => {
    let token = await open_();
    for (let hour = 1; hour < 24; hour += 1) {
      service.passSeconds(3_600);
      token = await rotate(token);
    }
    service.passSeconds(3_600);
    expect((await refresh(token)).body).toEqual(ended);
  });

  it('contains changed personas after the next refresh', async () => {
    const first = await open_();
    const personas = { hub: [{ applicationUrl: 'http://hub.payments.localhost/' }] };
    await service.write({ personas });
    expect(decodeJwt(text(await refresh(first), 'token'))['personas']).toEqual(personas);
  });
});

describe('calls of one process while a newer release changes the database', () => {
  it('answers as before when each table was given a column', async () => {
    const url = await newDatabase();
    await using service = await startTestService({ database: { url } });
    const { uid } = await service.write();
    const callAll = async (): Promise<number[]> => {
      const session = await service.signIn();
      const refreshed = await service.refresh(text(session, 'refresh'));
      const responses = [
        session,
        refreshed,
        await service.refresh(text(session, 'refresh')),
        await service.get('/auth/v1/method/ada@example.com'),
        await service.readUser(uid, text(refreshed, 'token')),
      ];
      return responses.map(({ status }) => status);
    };
    // Its connections have prepared the statements from now on.
    expect(await callAll()).toEqual(Array(5).fill(200));
    await withClient(url, async (client) => {
      const { rows } = await client.query<{ tablename: string }>(
        `select tablename from pg_tables where schemaname = 'public'`,
      );
      for (const { tablename } of rows) await client.query(`alter table ${tablename} add column later text`);
    });
    expect(await callAll()).toEqual(Array(5).fill(200));
  });
});

describeService('reading the account of the signed-in user', (service) => {
  let uid: string;
  let token: string;

  const read = (bearer: string, whose = uid) => service.readUser(whose, bearer);

  beforeEach(async () => {
    ({ uid } = await service.write());
    token = text(await service.signIn(), 'token');
  });

  it('shows that nothing is set up and the password was never changed', async () => {
    expect((await read(token)).body).toMatchObject({
      data: {
        attributes: { email: ada, authyActive: false, twoFactorActive: false, lastReset: null },
      },
    });
  });

  it.each([
    ['text messages', sms, { authyActive: true, twoFactorActive: false }],
    ['an authenticator app', app, { authyActive: false, twoFactorActive: true }],
  ])('shows %s and the time of the last password change', async (_factor, mfa, expected) => {
    const lastReset = new Date('2026-03-01T12:00:00.250Z');
    await service.write({ mfa, lastReset });
    expect((await read(token)).body).toMatchObject({
      data: { attributes: { ...expected, lastReset: '2026-03-01T12:00:00.250Z' } },
    });
  });

  it('is limited to the user’s own account, whether or not another exists', async () => {
    const other = await service.write({ username: 'bob@example.com' });
    const forbidden = { error: { message: 'You may only read your own account.', code: 'forbidden' } };
    const [existing, missing] = [await read(token, other.uid), await read(token, 'u_none')];
    expect(outcome(existing)).toEqual([403, forbidden]);
    expect(outcome(missing)).toEqual([403, forbidden]);
  });

  describe('is rejected', () => {
    const forged = async (claims: Record<string, unknown>, type = 'at+jwt'): Promise<string> => {
      const { privateKey } = await generateKeyPair('ES256');
      const { keys } = JSON.parse((await service.get('/.well-known/jwks.json')).text) as {
        keys: [{ kid: string }];
      };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: keys[0].kid, typ: type })
        .setIssuer(issuer)
        .setIssuedAt(Math.floor(service.now() / 1000))
        .setExpirationTime(Math.floor(service.now() / 1000) + 900)
        .sign(privateKey);
    };
    const unsigned = (): string => {
      const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const header = { alg: 'none', typ: 'at+jwt' };
      return `${part(header)}.${part({ uid, sid: 'x', iss: issuer, iat: 1, exp: 9_999_999_999 })}.`;
    };

    it.each([
      ['a token with another key', () => forged({ uid, sid: 'x' })],
      ['a token without a signature', () => Promise.resolve(unsigned())],
      ['a token with modified claims', () => Promise.resolve(withOtherClaims(token))],
      ['a trusted-device token', () => service.directory.accounts.trustDevice(ada)],
      ['a refresh token', async () => text(await service.signIn(), 'refresh')],
      ['no token at all', () => Promise.resolve('')],
    ])('with %s', async (_what, bearer) => {
      const response = await read(await bearer());
      expect(outcome(response)).toEqual([401, unauthorized]);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    });

    it('with an expired token, from the second of its end on', async () => {
      service.passSeconds(899);
      expect((await read(token)).status).toBe(200);
      service.passSeconds(1);
      expect((await read(token)).body).toEqual(unauthorized);
    });

    it('without a bearer before the request is validated', async () => {
      const response = await service.send('POST', '/mfa/v1/disable', { rawBody: '{"not json' });
      expect(outcome(response)).toEqual([401, unauthorized]);
    });
  });
});

function withOtherClaims(token: string): string {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const changed = Buffer.from(claims, 'base64url').toString().replace('"method":"basic"', '"method":"other"');
  return [header, Buffer.from(changed).toString('base64url'), signature].join('.');
}
