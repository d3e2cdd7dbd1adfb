/** @jest-environment node */
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { otherThan, wrongAppCode } from './support/authenticator.ts';
import { bothDatabases } from './support/bothDatabases.ts';
import { reset } from './support/links.ts';
import { aString } from './support/matchers.ts';
import { newDatabase } from './support/postgres.ts';
import {
  app,
  appSecret,
  challengeOf,
  challengeOver,
  codeOfApp,
  enterCode,
  lockedFor15Minutes,
  outcome,
  phone,
  signedIn,
  sms,
  tooManyTexts,
  verified,
  wrongCode,
} from './support/secondStep.ts';
import {
  account,
  type Answer,
  issuer,
  signIn,
  startTestService,
  type TestService,
  text,
} from './support/testService.ts';

jest.setTimeout(180_000);

describe.each(bothDatabases)('a text-message code, on $name', ({ open }) => {
  let world: TestService;

  const resend = (authVerificationToken: string, more = {}): Promise<Answer> =>
    world.post('/auth/v1/token', {
      username: 'ada@example.com',
      method: 'basic',
      authVerificationToken,
      ...more,
    });

  beforeAll(async () => {
    world = await startTestService({ database: await open() });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    world.outbox.refuse(false);
    await world.service.directory.resetAll();
    await world.service.directory.upsertAccount(account({ mfa: sms }));
  });

  it('is sent to the phone after the right password, and starts the session', async () => {
    const before = world.outbox.texts().length;
    const challenge = await challengeOf(world);
    expect(world.outbox.texts().slice(before)).toEqual([
      {
        to: phone,
        text: [
          `${world.outbox.newestCode()} is your Payments verification code. It is valid for 10 minutes. Do not share it with anyone.`,
          '',
          // The host without its port: phones offer the code on its pages only.
          `@login.payments.localhost #${world.outbox.newestCode()}`,
        ].join('\n'),
      },
    ]);
    const answer = await enterCode(world, challenge, world.outbox.newestCode());
    expect([answer.status, Object.keys(answer.body).sort()]).toEqual([200, ['refresh', 'token']]);
    expect(decodeJwt(text(answer, 'token'))).toMatchObject({
      username: 'ada@example.com',
      method: 'basic',
      isMfaSetup: false,
    });
  });

  it('is not sent after a wrong password', async () => {
    const before = world.outbox.texts().length;
    await signIn(world, { password: 'wrong' });
    expect(world.outbox.texts()).toHaveLength(before);
  });

  it('is rejected when it is wrong, and the right one is still valid', async () => {
    const challenge = await challengeOf(world);
    const code = world.outbox.newestCode();
    expect(outcome(await enterCode(world, challenge, otherThan(code)))).toEqual([401, wrongCode]);
    expect((await enterCode(world, challenge, code)).status).toBe(200);
  });

  it('is valid once', async () => {
    const challenge = await challengeOf(world);
    const code = world.outbox.newestCode();
    expect((await enterCode(world, challenge, code)).status).toBe(200);
    expect(outcome(await enterCode(world, challenge, code))).toEqual([401, challengeOver]);
  });

  it('is valid once when it is submitted five times concurrently', async () => {
    const challenge = await challengeOf(world);
    const code = world.outbox.newestCode();
    const answers = await Promise.all(Array.from({ length: 5 }, () => enterCode(world, challenge, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('expires after ten minutes', async () => {
    const [first, code] = [await challengeOf(world), world.outbox.newestCode()];
    world.passSeconds(599);
    expect((await enterCode(world, first, code)).status).toBe(200);

    const [second, other] = [await challengeOf(world), world.outbox.newestCode()];
    world.passSeconds(600);
    expect(outcome(await enterCode(world, second, other))).toEqual([401, challengeOver]);
  });

  it('is not valid for another sign-in', async () => {
    const [, code] = [await challengeOf(world), world.outbox.newestCode()];
    let second = await challengeOf(world);
    while (world.outbox.newestCode() === code) second = await challengeOf(world);
    const other = world.outbox.newestCode();
    expect((await enterCode(world, second, code)).status).toBe(401);
    expect((await enterCode(world, second, other)).status).toBe(200);
  });

  it.each([
    ['another username', { username: 'bob@example.com' }],
    ['another method', { method: 'google' }],
    ['an invented token', { authVerificationToken: 'x'.repeat(43) }],
  ])('is rejected with %s', async (_what, changed) => {
    await world.service.directory.upsertAccount(account({ username: 'bob@example.com', mfa: sms }));
    const challenge = await challengeOf(world);
    const answer = await enterCode(world, challenge, world.outbox.newestCode(), changed);
    expect(outcome(answer)).toEqual([401, challengeOver]);
  });

  it('is rejected with the token of a verified identity', async () => {
    await world.service.directory.upsertAccount(account());
    const bearer = text(await signIn(world), 'token');
    const password = { password: 'Correct-horse7' };
    const identity = await world.post('/auth/v1/validate-password', password, { bearer });
    await world.service.directory.upsertAccount(account({ mfa: sms }));
    const challenge = text(identity, 'authVerificationToken');
    expect(outcome(await enterCode(world, challenge, '123456'))).toEqual([401, challengeOver]);
  });

  it('is accepted for any case of the username, and ignores a password sent with it', async () => {
    const challenge = await challengeOf(world);
    const more = { username: ' ADA@example.com', password: 'not looked at' };
    expect((await enterCode(world, challenge, world.outbox.newestCode(), more)).status).toBe(200);
  });

  it('is invalid after the second factor was changed', async () => {
    const challenge = await challengeOf(world);
    await world.service.directory.upsertAccount(account({ mfa: { ...sms, phone: '+12025550199' } }));
    const answer = await enterCode(world, challenge, world.outbox.newestCode());
    expect(outcome(answer)).toEqual([401, challengeOver]);
  });

  describe('after five wrong codes', () => {
    const guess = async (challenge: string, times: number): Promise<Answer> => {
      const wrong = otherThan(world.outbox.newestCode());
      for (let tries = 1; tries < times; tries += 1) await enterCode(world, challenge, wrong);
      return enterCode(world, challenge, wrong);
    };

    it('locks the second step for 15 minutes, for the right code too', async () => {
      const challenge = await challengeOf(world);
      expect((await guess(challenge, 4)).status).toBe(401);
      const fifth = await guess(challenge, 1);
      expect([...outcome(fifth), fifth.headers.get('retry-after')]).toEqual([429, lockedFor15Minutes, '900']);
      expect((await enterCode(world, challenge, world.outbox.newestCode())).status).toBe(429);
    });

    it('sends no messages during the lock, neither for a new sign-in nor for a resend', async () => {
      const challenge = await challengeOf(world);
      await guess(challenge, 5);
      const before = world.outbox.texts().length;
      expect(outcome(await signIn(world))).toEqual([429, lockedFor15Minutes]);
      expect(outcome(await resend(challenge))).toEqual([429, lockedFor15Minutes]);
      expect(world.outbox.texts()).toHaveLength(before);
      world.passSeconds(900);
      const next = await challengeOf(world);
      expect((await enterCode(world, next, world.outbox.newestCode())).status).toBe(200);
    });

    it('counts wrong codes across sign-ins', async () => {
      await guess(await challengeOf(world), 3);
      expect((await guess(await challengeOf(world), 2)).status).toBe(429);
    });

    it('allows no more attempts in a concurrent burst', async () => {
      const challenge = await challengeOf(world);
      const wrong = otherThan(world.outbox.newestCode());
      const answers = await Promise.all(Array.from({ length: 20 }, () => enterCode(world, challenge, wrong)));
      const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
      expect({ refused: count(401), locked: count(429) }).toEqual({ refused: 4, locked: 16 });
    });

    it('still accepts a trusted device, and an administrator can remove the lock', async () => {
      const trustedJWT = await world.service.directory.trustDevice('ada@example.com');
      await guess(await challengeOf(world), 5);
      expect((await signIn(world, { trustedJWT })).body).toMatchObject({ token: aString });
      await world.service.directory.unlock('ada@example.com');
      expect((await signIn(world)).body).toMatchObject({ mfaRequired: true });
    });
  });

  describe('a resent code', () => {
    it('belongs to the same challenge; the new code is valid and the old one is not', async () => {
      const first = await signIn(world);
      const challenge = text(first, 'authVerificationToken');
      const old = world.outbox.newestCode();
      const before = world.outbox.texts().length;
      expect(outcome(await resend(challenge))).toEqual([200, first.body]);
      expect(world.outbox.texts().slice(before)).toMatchObject([{ to: phone }]);
      while (world.outbox.newestCode() === old) await resend(challenge);
      const code = world.outbox.newestCode();
      expect((await enterCode(world, challenge, old)).status).toBe(401);
      expect((await enterCode(world, challenge, code)).status).toBe(200);
    });

    it('restarts the ten minutes', async () => {
      const challenge = await challengeOf(world);
      world.passSeconds(590);
      await resend(challenge);
      world.passSeconds(590);
      expect((await enterCode(world, challenge, world.outbox.newestCode())).status).toBe(200);
    });

    it('extends the challenge to at most 30 minutes after the sign-in, and says how much is left', async () => {
      const challenge = await challengeOf(world);
      for (let times = 0; times < 3; times += 1) {
        world.passSeconds(500);
        expect((await resend(challenge)).status).toBe(200);
      }
      expect(world.outbox.texts().at(-1)?.text).toContain('It is valid for 5 minutes.');
      const code = world.outbox.newestCode();
      world.passSeconds(299);
      expect((await enterCode(world, challenge, otherThan(code))).status).toBe(401);
      world.passSeconds(1);
      expect(outcome(await resend(challenge))).toEqual([401, challengeOver]);
      expect(outcome(await enterCode(world, challenge, code))).toEqual([401, challengeOver]);
    });

    it.each([
      ['for another username', { username: 'bob@example.com' }],
      ['for another method', { method: 'google', code: 'c' }],
      ['with an invented token', { authVerificationToken: 'made up' }],
    ])('is rejected %s, and nothing is sent', async (_what, changed) => {
      const challenge = await challengeOf(world);
      const before = world.outbox.texts().length;
      expect(outcome(await resend(challenge, changed))).toEqual([401, challengeOver]);
      expect(world.outbox.texts()).toHaveLength(before);
    });

    it('is rejected once the challenge was answered or has expired', async () => {
      const challenge = await challengeOf(world);
      await enterCode(world, challenge, world.outbox.newestCode());
      expect(outcome(await resend(challenge))).toEqual([401, challengeOver]);
      const other = await challengeOf(world);
      world.passSeconds(600);
      expect(outcome(await resend(other))).toEqual([401, challengeOver]);
    });
  });

  it('is limited to ten an hour per user, sign-ins and resends together', async () => {
    const challenge = await challengeOf(world);
    const before = world.outbox.texts().length;
    const answers = await Promise.all(Array.from({ length: 12 }, () => resend(challenge)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    const refused = await signIn(world);
    expect([...outcome(refused), refused.headers.get('retry-after')]).toEqual([429, tooManyTexts, '3600']);
    expect(world.outbox.texts()).toHaveLength(before + 9);
    world.passSeconds(3600);
    expect((await signIn(world)).status).toBe(200);
  });

  it('that the carrier rejects causes an error, without the number in the log', async () => {
    world.outbox.refuse(true);
    expect(outcome(await signIn(world))).toEqual([
      503,
      { error: { message: 'The text message could not be sent. Please try again.', code: 'unavailable' } },
    ]);
    expect(world.log.text()).toContain('text message was not taken');
  });

  it('is never logged, nor is the phone number', () => {
    expect(world.log.text()).not.toContain('2025550143');
    // As a word of its own: among the digits of a time or an id, any six may occur.
    const sent = world.outbox.texts().map(({ text }) => text.slice(0, 6));
    expect(world.log.text()).not.toMatch(new RegExp(`(?<![\\w.-])(?:${sent.join('|')})(?![\\w-])`));
  });
});

it('that expires before its challenge is accepted as long as its message says', async () => {
  const brief = await startTestService({ database: { folder: null }, textCodeSeconds: 120 });
  const statusAfter = async (seconds: number): Promise<number> => {
    await brief.service.directory.upsertAccount(account({ mfa: sms }));
    const challenge = await challengeOf(brief);
    expect(brief.outbox.texts().at(-1)?.text).toContain('It is valid for 2 minutes.');
    brief.passSeconds(seconds);
    return (await enterCode(brief, challenge, brief.outbox.newestCode())).status;
  };
  try {
    expect([await statusAfter(119), await statusAfter(120)]).toEqual([200, 401]);
  } finally {
    await brief.close();
  }
});

describe.each(bothDatabases)('a code of an authenticator app, on $name', ({ open }) => {
  let world: TestService;

  beforeAll(async () => {
    world = await startTestService({ database: await open() });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.service.directory.resetAll();
    await world.service.directory.upsertAccount(account({ mfa: app }));
  });

  it('starts the session without a text message', async () => {
    const answer = await enterCode(world, await challengeOf(world), await codeOfApp(world));
    expect([answer.status, Object.keys(answer.body).sort()]).toEqual([200, ['refresh', 'token']]);
    expect(world.outbox.texts()).toEqual([]);
  });

  it.each([
    ['just expired', -30, 200],
    ['the next', 30, 200],
    ['two steps old', -60, 401],
    ['two steps ahead', 60, 401],
  ])('that is %s is answered as it should be', async (_which, secondsLater, status) => {
    const code = await codeOfApp(world, secondsLater);
    expect((await enterCode(world, await challengeOf(world), code)).status).toBe(status);
  });

  it('is rejected when it is wrong, and locks the second step after five', async () => {
    const challenge = await challengeOf(world);
    const wrong = await wrongAppCode(appSecret, world.now());
    for (let tries = 0; tries < 4; tries += 1) {
      expect(outcome(await enterCode(world, challenge, wrong))).toEqual([401, wrongCode]);
    }
    expect(outcome(await enterCode(world, challenge, wrong))).toEqual([429, lockedFor15Minutes]);
    expect((await enterCode(world, challenge, await codeOfApp(world))).status).toBe(429);
    expect(outcome(await signIn(world))).toEqual([429, lockedFor15Minutes]);
  });

  it('that was observed is not valid for another sign-in, nor is an older one', async () => {
    const [present, former] = [await codeOfApp(world), await codeOfApp(world, -30)];
    expect((await enterCode(world, await challengeOf(world), present)).status).toBe(200);
    const challenge = await challengeOf(world);
    expect(outcome(await enterCode(world, challenge, present))).toEqual([401, wrongCode]);
    expect(outcome(await enterCode(world, challenge, former))).toEqual([401, wrongCode]);
    world.passSeconds(30);
    expect((await enterCode(world, challenge, await codeOfApp(world))).status).toBe(200);
  });

  it('is valid in one of two concurrent sign-ins', async () => {
    const challenges = [await challengeOf(world), await challengeOf(world)];
    const code = await codeOfApp(world);
    const answers = await Promise.all(challenges.map((challenge) => enterCode(world, challenge, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('starts one session for a challenge, also with two concurrent codes', async () => {
    const challenge = await challengeOf(world);
    const codes = [await codeOfApp(world), await codeOfApp(world, 30)];
    const answers = await Promise.all(codes.map((code) => enterCode(world, challenge, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(outcome(await enterCode(world, challenge, await codeOfApp(world)))).toEqual([401, challengeOver]);
  });

  it('needs no resend: a resend returns the challenge and sends nothing', async () => {
    const first = await signIn(world);
    const body = {
      username: 'ada@example.com',
      method: 'basic',
      authVerificationToken: text(first, 'authVerificationToken'),
    };
    expect(outcome(await world.post('/auth/v1/token', body))).toEqual([200, first.body]);
    expect(world.outbox.texts()).toEqual([]);
  });

  it('is invalid after the user changed or removed the factor', async () => {
    for (const mfa of [{ ...app, secret: 'KVKFKRCPNZQUYMLXOVYDSQKJKZDTSRLD' }, null]) {
      await world.service.directory.upsertAccount(account({ mfa: app }));
      const challenge = await challengeOf(world);
      await world.service.directory.upsertAccount(account({ mfa }));
      const answer = await enterCode(world, challenge, await codeOfApp(world));
      expect(outcome(answer)).toEqual([401, challengeOver]);
    }
  });
});

describe('a trusted device', () => {
  let world: TestService;

  beforeAll(async () => {
    world = await startTestService({ database: { url: await newDatabase() } });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.service.directory.resetAll();
    // Each code is valid once.
    world.passSeconds(60);
  });

  const trust = async (): Promise<string> => {
    const answer = await enterCode(world, await challengeOf(world), await codeOfApp(world), { trust: true });
    return text(answer, 'trustedToken');
  };
  const asksForCode = async (trustedJWT: string, username = 'ada@example.com'): Promise<boolean> =>
    (await signIn(world, { username, trustedJWT })).body['mfaRequired'] === true;

  it('gets its own token for 30 days, which is not a session token', async () => {
    const { uid } = await world.service.directory.upsertAccount(account({ mfa: app }));
    const trustedToken = await trust();
    expect(decodeProtectedHeader(trustedToken).typ).toBe('trusted-device+jwt');
    const issuedAt = Math.floor(world.now() / 1000);
    expect(decodeJwt(trustedToken)).toEqual({
      uid,
      jti: expect.any(String) as unknown,
      iss: issuer,
      iat: issuedAt,
      exp: issuedAt + 2_592_000,
    });
  });

  it('gets no token unless the request asks for it', async () => {
    await world.service.directory.upsertAccount(account({ mfa: app }));
    const answer = await enterCode(world, await challengeOf(world), await codeOfApp(world), { trust: false });
    expect(Object.keys(answer.body).sort()).toEqual(['refresh', 'token']);
  });

  it('skips the code for 30 days', async () => {
    await world.service.directory.upsertAccount(account({ mfa: app }));
    const trustedToken = await trust();
    world.passSeconds(2_591_999);
    expect(await asksForCode(trustedToken)).toBe(false);
    world.passSeconds(1);
    expect(await asksForCode(trustedToken)).toBe(true);
  });

  it('still needs the password', async () => {
    await world.service.directory.upsertAccount(account({ mfa: app }));
    const trustedJWT = await trust();
    expect((await signIn(world, { password: 'wrong', trustedJWT })).status).toBe(401);
  });

  it('is trusted for its own user only', async () => {
    await world.service.directory.upsertAccount(account({ mfa: app }));
    await world.service.directory.upsertAccount(account({ username: 'bob@example.com', mfa: app }));
    expect(await asksForCode(await trust(), 'bob@example.com')).toBe(true);
  });

  it('is no longer trusted after the second factor was turned off and set up again', async () => {
    const { bearer } = await signedIn(world, { mfa: app });
    const trustedToken = await trust();
    const body = { password: 'Correct-horse7', authVerificationToken: await verified(world, bearer) };
    expect((await world.post('/mfa/v1/disable', body, { bearer })).status).toBe(200);
    const token = await verified(world, bearer);
    await setUpPhone(bearer, token);
    expect(await asksForCode(trustedToken)).toBe(true);
  });

  it('is no longer trusted after the second factor was changed', async () => {
    const { bearer } = await signedIn(world, { mfa: app });
    const trustedToken = await trust();
    await setUpPhone(bearer, await verified(world, bearer));
    expect(await asksForCode(trustedToken)).toBe(true);
  });

  it('stays trusted while a change is in progress', async () => {
    const { bearer } = await signedIn(world, { mfa: app });
    const trustedToken = await trust();
    const body = { authVerificationToken: await verified(world, bearer) };
    await world.post('/mfa/v1/twofactor-add', body, { bearer });
    expect(await asksForCode(trustedToken)).toBe(false);
  });

  it('is no longer trusted after a password reset; those of other users are', async () => {
    await world.service.directory.upsertAccount(account({ mfa: app }));
    await world.service.directory.upsertAccount(account({ username: 'bob@example.com', mfa: app }));
    const [own, bobs] = [await trust(), await world.service.directory.trustDevice('bob@example.com')];
    const password = 'Correct-horse7';
    const { id } = await world.service.directory.resetLink('ada@example.com');
    expect((await reset(world, id, { password, confirm: password })).status).toBe(200);
    expect([await asksForCode(own), await asksForCode(bobs, 'bob@example.com')]).toEqual([true, false]);
  });

  async function setUpPhone(bearer: string, authVerificationToken: string): Promise<void> {
    const phone = { phone: '+12025550188', countryCode: 'US', register: true, authVerificationToken };
    expect((await world.post('/mfa/v1/sms-authy-add', phone, { bearer })).status).toBe(200);
    const code = { mfaCode: world.outbox.newestCode(), mfaRegistering: 'authy', authVerificationToken };
    expect((await world.post('/mfa/v1/validate-setup', code, { bearer })).status).toBe(200);
  }
});
