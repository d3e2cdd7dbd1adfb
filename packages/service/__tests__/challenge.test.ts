import { decodeJwt, decodeProtectedHeader } from 'jose';
import { otherThan } from './support/authenticator.ts';
import { aString } from './support/matchers.ts';
import {
  app,
  challengeOver,
  lockedFor15Minutes,
  outcome,
  phone,
  sms,
  tooManyTexts,
  wrongCode,
} from './support/secondStep.ts';
import { ada, describeService, startTestService, text } from './support/testService.ts';

describeService('a text-message code', (service) => {
  const resend = (authVerificationToken: string, more = {}) =>
    service.post('/auth/v1/token', { username: ada, method: 'basic', authVerificationToken, ...more });

  beforeEach(async () => {
    service.outbox.refuse(false);
    await service.write({ mfa: sms });
  });

  it('is sent to the phone after the right password, and starts the session', async () => {
    const before = service.outbox.texts().length;
    const challenge = await service.challenge();
    expect(service.outbox.texts().slice(before)).toEqual([
      {
        to: phone,
        text: [
          `${service.outbox.newestCode()} is your Payments verification code. It is valid for 10 minutes. Do not share it with anyone.`,
          '',
          // The host without its port: phones offer the code on its pages only.
          `@login.payments.localhost #${service.outbox.newestCode()}`,
        ].join('\n'),
      },
    ]);
    const response = await service.enterCode(challenge, service.outbox.newestCode());
    expect([response.status, Object.keys(response.body).sort()]).toEqual([200, ['refresh', 'token']]);
    expect(decodeJwt(text(response, 'token'))).toMatchObject({
      username: ada,
      method: 'basic',
      isMfaSetup: false,
    });
  });

  it('is not sent after a wrong password', async () => {
    const before = service.outbox.texts().length;
    await service.signIn({ password: 'wrong' });
    expect(service.outbox.texts()).toHaveLength(before);
  });

  it('is valid once, also when it is submitted five times concurrently', async () => {
    const challenge = await service.challenge();
    const code = service.outbox.newestCode();
    const responses = await Promise.all(Array.from({ length: 5 }, () => service.enterCode(challenge, code)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(outcome(await service.enterCode(challenge, code))).toEqual([401, challengeOver]);
  });

  it('is not valid for another sign-in', async () => {
    const [, code] = [await service.challenge(), service.outbox.newestCode()];
    let second = await service.challenge();
    while (service.outbox.newestCode() === code) second = await service.challenge();
    const other = service.outbox.newestCode();
    expect((await service.enterCode(second, code)).status).toBe(401);
    expect((await service.enterCode(second, other)).status).toBe(200);
  });

  it.each([
    ['another username', { username: 'bob@example.com' }],
    ['another method', { method: 'google', code: 'c' }],
    ['an invented token', { authVerificationToken: 'x'.repeat(43) }],
  ])('is rejected with %s, and not sent again', async (_what, changed) => {
    await service.write({ username: 'bob@example.com', mfa: sms });
    const challenge = await service.challenge();
    const before = service.outbox.texts().length;
    const response = await service.enterCode(challenge, service.outbox.newestCode(), changed);
    expect(outcome(response)).toEqual([401, challengeOver]);
    expect(outcome(await resend(challenge, changed))).toEqual([401, challengeOver]);
    expect(service.outbox.texts()).toHaveLength(before);
  });

  it('is rejected with the token of a verified identity', async () => {
    await service.write();
    const token = await service.verified(text(await service.signIn(), 'token'));
    await service.write({ mfa: sms });
    expect(outcome(await service.enterCode(token, '123456'))).toEqual([401, challengeOver]);
  });

  it('is accepted for any case of the username, and ignores a password sent with it', async () => {
    const challenge = await service.challenge();
    const more = { username: ' ADA@example.com', password: 'not looked at' };
    expect((await service.enterCode(challenge, service.outbox.newestCode(), more)).status).toBe(200);
  });

  describe('after five wrong codes', () => {
    const guess = async (challenge: string, times: number) => {
      const wrong = otherThan(service.outbox.newestCode());
      for (let tries = 1; tries < times; tries += 1) await service.enterCode(challenge, wrong);
      return service.enterCode(challenge, wrong);
    };

    it('locks the second step for 15 minutes, for the right code too', async () => {
      const challenge = await service.challenge();
      expect(outcome(await guess(challenge, 4))).toEqual([401, wrongCode]);
      const fifth = await guess(challenge, 1);
      expect([...outcome(fifth), fifth.headers.get('retry-after')]).toEqual([429, lockedFor15Minutes, '900']);
      expect((await service.enterCode(challenge, service.outbox.newestCode())).status).toBe(429);
    });

    it('sends no messages during the lock, neither for a new sign-in nor for a resend', async () => {
      const challenge = await service.challenge();
      await guess(challenge, 5);
      const before = service.outbox.texts().length;
      expect(outcome(await service.signIn())).toEqual([429, lockedFor15Minutes]);
      expect(outcome(await resend(challenge))).toEqual([429, lockedFor15Minutes]);
      expect(service.outbox.texts()).toHaveLength(before);
      service.passSeconds(900);
      const next = await service.challenge();
      expect((await service.enterCode(next, service.outbox.newestCode())).status).toBe(200);
    });

    it('counts wrong codes across sign-ins', async () => {
      await guess(await service.challenge(), 3);
      expect((await guess(await service.challenge(), 2)).status).toBe(429);
    });

    it('allows no more attempts in a concurrent burst', async () => {
      const challenge = await service.challenge();
      const wrong = otherThan(service.outbox.newestCode());
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => service.enterCode(challenge, wrong)),
      );
      const count = (status: number) => responses.filter((response) => response.status === status).length;
      expect({ refused: count(401), locked: count(429) }).toEqual({ refused: 4, locked: 16 });
    });

    it('still accepts a trusted device, and an administrator can remove the lock', async () => {
      const trustedJWT = await service.directory.accounts.trustDevice(ada);
      await guess(await service.challenge(), 5);
      expect((await service.signIn({ trustedJWT })).body).toMatchObject({ token: aString });
      await service.directory.accounts.unlock(ada);
      expect((await service.signIn()).body).toMatchObject({ mfaRequired: true });
    });
  });

  describe('a resent code', () => {
    it('belongs to the same challenge; the new code is valid and the old one is not', async () => {
      const first = await service.signIn();
      const challenge = text(first, 'authVerificationToken');
      const old = service.outbox.newestCode();
      const before = service.outbox.texts().length;
      expect(outcome(await resend(challenge))).toEqual([200, first.body]);
      expect(service.outbox.texts().slice(before)).toMatchObject([{ to: phone }]);
      while (service.outbox.newestCode() === old) await resend(challenge);
      const code = service.outbox.newestCode();
      expect((await service.enterCode(challenge, old)).status).toBe(401);
      expect((await service.enterCode(challenge, code)).status).toBe(200);
    });

    it('extends the challenge to at most 30 minutes after the sign-in, and says how much is left', async () => {
      const challenge = await service.challenge();
      for (let times = 0; times < 3; times += 1) {
        service.passSeconds(500);
        expect((await resend(challenge)).status).toBe(200);
      }
      expect(service.outbox.texts().at(-1)?.text).toContain('It is valid for 5 minutes.');
      const code = service.outbox.newestCode();
      service.passSeconds(299);
      expect((await service.enterCode(challenge, otherThan(code))).status).toBe(401);
      service.passSeconds(1);
      expect(outcome(await resend(challenge))).toEqual([401, challengeOver]);
      expect(outcome(await service.enterCode(challenge, code))).toEqual([401, challengeOver]);
    });

    it('is rejected once the challenge was answered or has expired', async () => {
      const challenge = await service.challenge();
      await service.enterCode(challenge, service.outbox.newestCode());
      expect(outcome(await resend(challenge))).toEqual([401, challengeOver]);
      const other = await service.challenge();
      service.passSeconds(600);
      expect(outcome(await resend(other))).toEqual([401, challengeOver]);
    });
  });

  it('is limited to ten an hour per user, sign-ins and resends together', async () => {
    const challenge = await service.challenge();
    const before = service.outbox.texts().length;
    const responses = await Promise.all(Array.from({ length: 12 }, () => resend(challenge)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(9);
    const refused = await service.signIn();
    expect([...outcome(refused), refused.headers.get('retry-after')]).toEqual([429, tooManyTexts, '3600']);
    expect(service.outbox.texts()).toHaveLength(before + 9);
    service.passSeconds(3600);
    expect((await service.signIn()).status).toBe(200);
  });

  it('is limited for all users together, and the metrics show how many were requested and the limit', async () => {
    await using own = await startTestService({ textLimits: { all: 2 } });
    await own.write({ mfa: sms });
    await own.write({ username: 'bob@example.com', mfa: sms });
    await own.challenge();
    await own.challenge();
    const refused = await own.signIn({ username: 'bob@example.com' });
    expect([...outcome(refused), refused.headers.get('retry-after')]).toEqual([429, tooManyTexts, '3600']);
    expect(own.outbox.texts()).toHaveLength(2);
    expect(own.log.text()).toContain('text messages have reached TEXT_MESSAGES_PER_HOUR');
    const scrape = await own.service.metrics.metrics();
    expect(scrape).toContain('vestibule_text_messages{state="limit"} 2');
    expect(scrape).toContain('vestibule_text_messages{state="requested"} 3');
    own.passSeconds(3600);
    expect((await own.signIn({ username: 'bob@example.com' })).status).toBe(200);
  });

  it('is never logged, nor is the phone number', () => {
    expect(service.log.text()).not.toContain('2025550143');
    // As a word of its own: among the digits of a time or an id, any six may occur.
    const sent = service.outbox.texts().map(({ text }) => text.slice(0, 6));
    expect(service.log.text()).not.toMatch(new RegExp(`(?<![\\w.-])(?:${sent.join('|')})(?![\\w-])`));
  });
});

it('that expires before its challenge is accepted as long as its message says', async () => {
  await using brief = await startTestService({ textCodeSeconds: 120 });
  const statusAfter = async (seconds: number): Promise<number> => {
    await brief.write({ mfa: sms });
    const challenge = await brief.challenge();
    expect(brief.outbox.texts().at(-1)?.text).toContain('It is valid for 2 minutes.');
    brief.passSeconds(seconds);
    return (await brief.enterCode(challenge, brief.outbox.newestCode())).status;
  };
  expect([await statusAfter(119), await statusAfter(120)]).toEqual([200, 401]);
});

describeService('a code of an authenticator app', (service) => {
  beforeEach(async () => {
    await service.write({ mfa: app });
  });

  it('starts the session without a text message, or trust that was not asked for', async () => {
    const challenge = await service.challenge();
    const response = await service.enterCode(challenge, await service.codeOfApp(), { trust: false });
    expect([response.status, Object.keys(response.body).sort()]).toEqual([200, ['refresh', 'token']]);
    expect(service.outbox.texts()).toEqual([]);
  });

  it.each([
    ['just expired', -30, 200],
    ['the next', 30, 200],
    ['two steps old', -60, 401],
    ['two steps ahead', 60, 401],
  ])('that is %s is answered as it should be', async (_which, secondsLater, status) => {
    const code = await service.codeOfApp(secondsLater);
    expect((await service.enterCode(await service.challenge(), code)).status).toBe(status);
  });

  it('that was observed is not valid for another sign-in, nor is an older one', async () => {
    const [present, former] = [await service.codeOfApp(), await service.codeOfApp(-30)];
    expect((await service.enterCode(await service.challenge(), present)).status).toBe(200);
    const challenge = await service.challenge();
    expect(outcome(await service.enterCode(challenge, present))).toEqual([401, wrongCode]);
    expect(outcome(await service.enterCode(challenge, former))).toEqual([401, wrongCode]);
    service.passSeconds(30);
    expect((await service.enterCode(challenge, await service.codeOfApp())).status).toBe(200);
  });

  it('is valid in one of two concurrent sign-ins', async () => {
    const challenges = [await service.challenge(), await service.challenge()];
    const code = await service.codeOfApp();
    const responses = await Promise.all(challenges.map((challenge) => service.enterCode(challenge, code)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('starts one session for a challenge, also with two concurrent codes', async () => {
    const challenge = await service.challenge();
    const codes = [await service.codeOfApp(), await service.codeOfApp(30)];
    const responses = await Promise.all(codes.map((code) => service.enterCode(challenge, code)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(outcome(await service.enterCode(challenge, await service.codeOfApp()))).toEqual([
      401,
      challengeOver,
    ]);
  });

  it('needs no resend: a resend returns the challenge and sends nothing', async () => {
    const first = await service.signIn();
    const body = {
      username: ada,
      method: 'basic',
      authVerificationToken: text(first, 'authVerificationToken'),
    };
    expect(outcome(await service.post('/auth/v1/token', body))).toEqual([200, first.body]);
    expect(service.outbox.texts()).toEqual([]);
  });

  it('is invalid after the user changed or removed the factor', async () => {
    for (const mfa of [{ ...app, secret: 'KVKFKRCPNZQUYMLXOVYDSQKJKZDTSRLD' }, null]) {
      await service.write({ mfa: app });
      const challenge = await service.challenge();
      await service.write({ mfa });
      const response = await service.enterCode(challenge, await service.codeOfApp());
      expect(outcome(response)).toEqual([401, challengeOver]);
    }
  });
});

describeService('a trusted device', (service) => {
  beforeEach(async () => {
    await service.write({ mfa: app });
    // Each code is valid once.
    service.passSeconds(60);
  });

  const trust = async (): Promise<string> => {
    const response = await service.enterCode(await service.challenge(), await service.codeOfApp(), {
      trust: true,
    });
    return text(response, 'trustedToken');
  };
  const asksForCode = async (trustedJWT: string): Promise<boolean> =>
    (await service.signIn({ trustedJWT })).body['mfaRequired'] === true;

  it('gets its own token for 30 days, which is not a session token', async () => {
    const trustedToken = await trust();
    // Short: a browser keeps eight of them in cookies.
    expect(decodeProtectedHeader(trustedToken)).toEqual({ alg: 'HS256' });
    const issuedAt = Math.floor(service.now() / 1000);
    expect(decodeJwt(trustedToken)).toEqual({ jti: aString, exp: issuedAt + 2_592_000 });
    const { uid = '' } = (await service.directory.accounts.find(ada)) ?? {};
    expect((await service.readUser(uid, trustedToken)).status).toBe(401);
  });

  it('skips the code for 30 days', async () => {
    const trustedToken = await trust();
    service.passSeconds(2_591_999);
    expect(await asksForCode(trustedToken)).toBe(false);
    service.passSeconds(1);
    expect(await asksForCode(trustedToken)).toBe(true);
  });

  it('still needs the password', async () => {
    const trustedJWT = await trust();
    expect((await service.signIn({ password: 'wrong', trustedJWT })).status).toBe(401);
  });

  it.each([
    ['changed', () => Promise.resolve()],
    [
      'turned off and set up again',
      async (bearer: string) => {
        expect((await service.disable(bearer, await service.verified(bearer))).status).toBe(200);
      },
    ],
  ])('is no longer trusted after the second factor was %s', async (_what, beforehand) => {
    const { bearer } = await service.signedIn({ mfa: app });
    const trustedToken = await trust();
    await beforehand(bearer);
    const token = await service.verified(bearer);
    expect((await service.addPhone(bearer, token)).status).toBe(200);
    expect((await service.validatePhone(bearer, service.outbox.newestCode(), token)).status).toBe(200);
    expect(await asksForCode(trustedToken)).toBe(true);
  });

  it('stays trusted while a change is in progress', async () => {
    const { bearer } = await service.signedIn({ mfa: app });
    const trustedToken = await trust();
    await service.addApp(bearer, await service.verified(bearer));
    expect(await asksForCode(trustedToken)).toBe(false);
  });
});
