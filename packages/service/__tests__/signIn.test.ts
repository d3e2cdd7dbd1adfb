import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { aString, aStringLike } from './support/matchers.ts';
import { app, lockedFor15Minutes, outcome, sms } from './support/secondStep.ts';
import { ada, describeService, issuer, type TestService, text } from './support/testService.ts';

const refusal = {
  error: {
    message:
      'We were unable to match the User ID and password you entered. Please check your entries and try again.',
    code: 'invalid_credentials',
  },
};

describeService('signing in', (service) => {
  describe('the methods of a username', () => {
    it('are listed in the order of the account, Microsoft with its configuration', async () => {
      const configuration = { tenantId: 'common', clientId: '0a1b2c3d-4e5f-4061-8273-8495a6b7c8d9' };
      await service.write({
        methods: [{ method: 'google' }, { method: 'microsoft', configuration }, { method: 'basic' }],
      });
      const response = await service.get('/auth/v1/method/ada@example.com');
      expect(JSON.parse(response.text)).toEqual([
        { method: 'google' },
        { method: 'microsoft', configuration },
        { method: 'basic' },
      ]);
    });

    it('are an empty list for an unknown username', async () => {
      const response = await service.get('/auth/v1/method/unknown@example.com');
      expect([response.status, JSON.parse(response.text)]).toEqual([200, []]);
    });

    it.each([
      ['any case, width of letters and surrounding spaces', ada, ' ＡDA@Example.COM '],
      ['a slash and other characters of an address', 'a/b?c#d %é', 'a/b?c#d %é'],
    ])('are found for a username with %s', async (_what, username, asked) => {
      await service.write({ username });
      const response = await service.get(`/auth/v1/method/${encodeURIComponent(asked)}`);
      expect(JSON.parse(response.text)).toEqual([{ method: 'basic' }]);
    });
  });

  describe('with a password', () => {
    it('returns a token with the claims that the applications read, signed by a published key', async () => {
      const created = await service.write();
      const response = await service.signIn();

      expect(response.status).toBe(200);
      expect(Object.keys(response.body).sort()).toEqual(['refresh', 'token']);
      const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`));
      const { payload } = await jwtVerify(text(response, 'token'), keys, {
        issuer,
        typ: 'at+jwt',
        currentDate: new Date(service.now()),
      });
      const issuedAt = Math.floor(service.now() / 1000);
      expect(payload).toEqual({
        personas: { ledger: [{ applicationUrl: 'http://ledger.payments.localhost/' }] },
        uid: created.uid,
        username: ada,
        email: ada,
        firstName: 'Ada',
        method: 'basic',
        isMfaSetup: false,
        iss: issuer,
        sid: aString,
        iat: issuedAt,
        exp: issuedAt + 900,
      });
    });

    it('returns a token without personas to a user without personas: the application shows the message', async () => {
      await service.write({ personas: {} });
      expect(decodeJwt(text(await service.signIn(), 'token'))['personas']).toEqual({});
    });

    it('rejects a wrong password with the specified text', async () => {
      await service.write();
      expect(outcome(await service.signIn({ password: 'correct-horse7' }))).toEqual([401, refusal]);
    });

    it.each([
      ['an unknown username', () => Promise.resolve()],
      ['an account without a password', (it: TestService) => it.write({ password: null })],
      ['an account with a provider only', (it: TestService) => it.write({ methods: [{ method: 'google' }] })],
    ])('rejects %s exactly like a wrong password', async (_who, arrange) => {
      await arrange(service);
      expect(outcome(await service.signIn())).toEqual([401, refusal]);
    });

    it('compares the password exactly: spaces count, nothing is cut off', async () => {
      const password = ` ${'pässwörd𝄞'.repeat(20)} `;
      await service.write({ password });
      expect((await service.signIn({ password })).status).toBe(200);
      expect((await service.signIn({ password: password.trim() })).status).toBe(401);
      expect((await service.signIn({ password: password.slice(0, -3) })).status).toBe(401);
    });

    it('accepts the password however long ago it was set', async () => {
      await service.write();
      const password = 'Changed-horse8';
      await service.reset((await service.directory.links.reset(ada)).id, { password, confirm: password });
      service.passSeconds(10 * 365 * 86_400);
      expect((await service.signIn({ password })).body).toHaveProperty('token');
    });
  });

  describe('with two-step verification', () => {
    it('requires the code of a text message', async () => {
      const { uid } = await service.write({ mfa: sms });
      expect(outcome(await service.signIn())).toEqual([
        200,
        {
          mfaRequired: true,
          mfaType: 'authy',
          authVerificationToken: aStringLike(/^[\w-]{43}$/),
          authyId: '52001',
          uid,
        },
      ]);
    });

    it('requires the code of an authenticator app', async () => {
      const { uid } = await service.write({ mfa: app });
      expect((await service.signIn()).body).toEqual({
        mfaRequired: true,
        mfaType: 'mfa',
        authVerificationToken: aString,
        uid,
      });
    });

    it.each([
      ['has expired', (it: TestService) => it.directory.accounts.trustDevice(ada), 2_592_001],
      [
        'belongs to another user',
        (it: TestService) => it.directory.accounts.trustDevice('bob@example.com'),
        0,
      ],
      ['is a session token', async (it: TestService) => text(await it.signIn(bob), 'token'), 0],
      ['is invented', () => Promise.resolve('eyJhbGciOiJub25lIn0.eyJ1aWQiOiJ4In0.'), 0],
    ])('requires the code when the trusted token %s', async (_why, issue, secondsLater) => {
      await service.write({ mfa: sms });
      await service.write(bob);
      const trustedJWT = await issue(service);
      service.passSeconds(secondsLater);
      expect((await service.signIn({ trustedJWT })).body).toMatchObject({ mfaRequired: true });
    });

    it('returns a set-up token and no session to a user who must set it up', async () => {
      const { uid } = await service.write({ mustSetUpMfa: true });
      const response = await service.signIn();
      expect(response.body).toEqual({ mfaJWT: aString, uid });
      const mfaJWT = text(response, 'mfaJWT');
      expect(decodeProtectedHeader(mfaJWT).typ).toBe('mfa-setup+jwt');
      expect(decodeJwt(mfaJWT)).toMatchObject({ uid, isMfaSetup: true, method: 'basic' });
    });

    it('does not require a set-up of what is already on', async () => {
      await service.write({ mustSetUpMfa: true, mfa: sms });
      expect((await service.signIn()).body).toMatchObject({ mfaRequired: true, mfaType: 'authy' });
    });
  });
});

const bob = { username: 'bob@example.com', password: 'Other-horse8' };

describeService('the lockout of a username', (service) => {
  const fail = async (times: number, username = ada) => {
    let last = await service.signIn({ username, password: 'wrong' });
    for (let done = 1; done < times; done += 1) last = await service.signIn({ username, password: 'wrong' });
    return last;
  };

  beforeEach(async () => {
    await service.write();
  });

  it('starts at the fifth failure, and says how long to wait', async () => {
    expect((await fail(4)).status).toBe(401);
    const response = await fail(1);
    expect(outcome(response)).toEqual([429, lockedFor15Minutes]);
    expect(response.headers.get('retry-after')).toBe('900');
  });

  it('rejects the right password too while it lasts, and counts down', async () => {
    await fail(5);
    service.passSeconds(14 * 60 + 1);
    const response = await service.signIn();
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '59']);
    expect(response.body).toEqual({
      error: {
        message: 'Too many failed login attempts. Please try again in 1 minute.',
        code: 'too_many_failed_attempts',
      },
    });
  });

  it('ends after 15 minutes, also if attempts continued, and gives five new ones', async () => {
    await fail(5);
    service.passSeconds(600);
    await fail(20);
    service.passSeconds(300);
    expect((await fail(4)).status).toBe(401);
    expect((await service.signIn()).status).toBe(200);
  });

  it('ignores failures older than 15 minutes', async () => {
    await fail(4);
    service.passSeconds(900);
    expect((await fail(4)).status).toBe(401);
  });

  it('counts all spellings of a username together', async () => {
    await fail(2, ada);
    await fail(2, ' ADA@example.com');
    expect((await fail(1, 'Ada@Example.com ')).status).toBe(429);
  });

  it('does not affect other users', async () => {
    await service.write({ username: 'bob@example.com' });
    await fail(5);
    expect((await service.signIn({ username: 'bob@example.com' })).status).toBe(200);
  });

  it('can be set and removed by an administrator', async () => {
    await service.directory.accounts.lock(ada);
    expect((await service.signIn()).body).toEqual(lockedFor15Minutes);
    await service.directory.accounts.unlock(ada);
    expect((await service.signIn()).status).toBe(200);

    await fail(5);
    await fail(5, 'bob@example.com');
    await service.directory.accounts.unlock();
    expect((await service.signIn()).status).toBe(200);
    expect((await fail(1, 'bob@example.com')).status).toBe(401);
  });

  it('allows at most five attempts of a concurrent burst', async () => {
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => service.signIn({ password: 'wrong' })),
    );
    const count = (status: number) => responses.filter((response) => response.status === status).length;
    expect({ refused: count(401), locked: count(429) }).toEqual({ refused: 4, locked: 26 });
  });
});
