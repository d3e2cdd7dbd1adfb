import type { AccountInput } from '../src/index.ts';
import { fromBase32, toBase32 } from '../src/mfa/totp.ts';
import { matchingStep, newTotpSecret, totpCode } from '../src/mfa/totp.ts';
import { appCode, otherThan, wrongAppCode } from './support/authenticator.ts';
import {
  app,
  lockedFor15Minutes,
  outcome,
  phone,
  sms,
  tooManyTexts,
  verifyAgain,
  wrongCode,
} from './support/secondStep.ts';
import { ada, describeService, startTestService, type TestService, text } from './support/testService.ts';

const off = { authyActive: false, twoFactorActive: false };
const byText = { authyActive: true, twoFactorActive: false };
const byApp = { authyActive: false, twoFactorActive: true };

/** A signed-in user who has verified the identity, and what this session can do to set up a phone. */
async function withPhone(service: TestService, changes?: Partial<AccountInput>) {
  const { bearer, uid } = await service.signedIn(changes);
  const token = await service.verified(bearer);
  return {
    bearer,
    token,
    add: (more?: object) => service.addPhone(bearer, token, more),
    validate: (code = service.outbox.newestCode()) => service.validatePhone(bearer, code, token),
    factors: () => service.activeFactors(bearer, uid),
  };
}

/** The same to set up an app; `secret` is that of a set-up in progress. */
async function withApp(service: TestService, changes?: Partial<AccountInput>) {
  const { bearer, uid } = await service.signedIn(changes);
  const token = await service.verified(bearer);
  const secret = text(await service.addApp(bearer, token), 'code');
  const shown = (secondsLater = 0) => appCode(secret, service.now() + secondsLater * 1000);
  return {
    bearer,
    token,
    secret,
    shown,
    validate: async (code?: string) => service.validateApp(bearer, code ?? (await shown()), token),
    factors: () => service.activeFactors(bearer, uid),
  };
}

describeService('setting up text messages', (service) => {
  const expired = {
    error: { message: 'The time to enter the code is over. Please start again.', code: 'invalid_request' },
  };
  const sent = () => service.outbox.texts().length;

  beforeEach(() => {
    service.outbox.refuse(false);
  });

  it('sends a code to the phone, and is on after the code was entered', async () => {
    const { add, validate, factors } = await withPhone(service);
    const before = sent();
    expect(outcome(await add())).toEqual([200, { lastFourPhone: '0143' }]);
    expect(service.outbox.texts().slice(before)).toMatchObject([{ to: phone }]);
    expect(await factors()).toEqual(off);

    expect((await validate()).status).toBe(200);
    expect(await factors()).toEqual(byText);
    const challenge = await service.signIn();
    expect(challenge.body).toMatchObject({ mfaRequired: true, mfaType: 'authy' });
    expect(text(challenge, 'authyId')).toMatch(/^\d{8}$/);
    const code = service.outbox.newestCode();
    expect((await service.enterCode(text(challenge, 'authVerificationToken'), code)).status).toBe(200);
  });

  it.each([
    ['a British number as an American one', '+447700900123', 'US'],
    ['an American number as a British one', '+12025550143', 'GB'],
    ['a British landline', '+442079460123', 'GB'],
    ['a British forwarding number', '+447012345678', 'GB'],
    ['a phone of Jersey', '+447797712345', 'GB'],
    ['a phone of Jamaica', '+18765551234', 'US'],
    ['a phone of Canada', '+14165550143', 'US'],
    ['an American premium number', '+19005551234', 'US'],
    ['an American toll-free number', '+18005551234', 'US'],
    ['an American number that is too short', '+1202555014', 'US'],
    ['a number without its country', '2025550143', 'US'],
    ['a number with spaces', '+1 202 555 0143', 'US'],
    ['letters', '+1202555CALL', 'US'],
  ])('rejects %s, and sends nothing', async (_what, number, countryCode) => {
    const { add } = await withPhone(service);
    const before = sent();
    const response = await add({ phone: number, countryCode });
    expect(outcome(response)).toMatchObject([400, { error: { code: 'invalid_request' } }]);
    expect(response.text).not.toContain(number);
    expect(sent()).toBe(before);
  });

  it('needs a verified identity for both steps, and sends nothing without', async () => {
    const { bearer, add, validate, factors } = await withPhone(service);
    const before = sent();
    expect(outcome(await service.addPhone(bearer))).toEqual([401, verifyAgain]);
    expect(sent()).toBe(before);
    await add();
    const code = service.outbox.newestCode();
    expect(outcome(await service.validatePhone(bearer, code))).toEqual([401, verifyAgain]);
    service.passSeconds(180);
    expect(outcome(await validate())).toEqual([401, verifyAgain]);
    expect(await factors()).toEqual(off);
  });

  it('consumes the verification: the next change needs a new one', async () => {
    const { add, validate } = await withPhone(service);
    await add();
    await validate();
    expect(outcome(await add())).toEqual([401, verifyAgain]);
  });

  it('accepts five codes and then none for 15 minutes, also in a new set-up; sign-in is not affected', async () => {
    const { add, validate } = await withPhone(service);
    await add();
    const wrong = otherThan(service.outbox.newestCode());
    for (let tries = 0; tries < 4; tries += 1) expect((await validate(wrong)).status).toBe(401);
    expect(outcome(await validate(wrong))).toEqual([429, lockedFor15Minutes]);
    await add();
    expect((await validate()).status).toBe(429);
    expect((await service.signIn()).status).toBe(200);
  });

  it('has nothing to verify before a phone was sent, or ten minutes after', async () => {
    const { bearer, add, validate } = await withPhone(service);
    expect(outcome(await validate('123456'))).toEqual([400, expired]);
    await add();
    service.passSeconds(600);
    const late = service.validatePhone(bearer, service.outbox.newestCode(), await service.verified(bearer));
    expect(outcome(await late)).toEqual([400, expired]);
  });

  it('sends a new code on request; the old one is invalid', async () => {
    const { add, validate } = await withPhone(service);
    await add({ phone: '+12025550177' });
    const old = service.outbox.newestCode();
    do await add();
    while (service.outbox.newestCode() === old);
    expect((await validate(old)).status).toBe(401);
    expect((await validate()).status).toBe(200);
    expect(await service.directory.accounts.find(ada)).toMatchObject({ mfa: { phone } });
  });

  it('keeps the old number until the new one is verified, and its id at the text-message provider afterwards', async () => {
    const { add, validate } = await withPhone(service, { mfa: sms });
    await add({ phone: '+447400123456', countryCode: 'GB' });
    const code = service.outbox.newestCode();
    await service.signIn();
    expect(service.outbox.texts().at(-1)?.to).toBe(phone);
    expect((await validate(code)).status).toBe(200);
    expect((await service.signIn()).body).toMatchObject({ authyId: '52001' });
    expect(service.outbox.texts().at(-1)?.to).toBe('+447400123456');
  });

  it('ends a challenge for the former factor', async () => {
    const { add, validate } = await withPhone(service, { mfa: sms });
    const [challenge, former] = [await service.challenge(), service.outbox.newestCode()];
    await add({ phone: '+12025550177' });
    await validate();
    expect((await service.enterCode(challenge, former)).status).toBe(401);
  });

  it('is done once when the code is submitted five times concurrently', async () => {
    const { add, validate } = await withPhone(service);
    await add();
    const responses = await Promise.all(Array.from({ length: 5 }, () => validate()));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  describe('is limited', () => {
    it('to five messages an hour per user, for any phones', async () => {
      const { add } = await withPhone(service);
      for (let last = 1; last <= 5; last += 1) {
        expect((await add({ phone: `+1202555010${last}` })).status).toBe(200);
      }
      const refused = await add({ phone: '+12025550109' });
      expect([...outcome(refused), refused.headers.get('retry-after')]).toEqual([429, tooManyTexts, '3600']);
      service.passSeconds(3600);
      expect((await (await withPhone(service)).add()).status).toBe(200);
    });

    it('to five messages an hour per phone, for any user; its owner can still sign in', async () => {
      for (const name of ['bob', 'eve', 'joe']) {
        const { add } = await withPhone(service, { username: `${name}@example.com` });
        await add();
        await add();
      }
      const { add } = await withPhone(service, { username: 'kim@example.com' });
      const before = sent();
      expect(outcome(await add())).toEqual([429, tooManyTexts]);
      expect(sent()).toBe(before);
      await service.write({ mfa: sms });
      expect((await service.signIn()).body).toMatchObject({ mfaRequired: true });
    });

    it('also for a concurrent burst', async () => {
      const { add } = await withPhone(service);
      const before = sent();
      // One of the numbers that Ofcom keeps for demonstrations.
      const phone = { phone: '+447700900123', countryCode: 'GB' };
      await Promise.all(Array.from({ length: 15 }, () => add(phone)));
      expect(sent()).toBe(before + 5);
    });
  });

  it('reports that the message could not be sent', async () => {
    const { add } = await withPhone(service);
    service.outbox.refuse(true);
    expect((await add()).status).toBe(503);
  });

  it('shows only the last four digits of the number, and only if there is one', async () => {
    const { bearer, add, validate } = await withPhone(service);
    const info = () => service.get('/mfa/v1/authy-info', { bearer });
    const none = { error: { message: 'Text messages are not set up.', code: 'not_found' } };
    expect(outcome(await info())).toEqual([404, none]);
    await add();
    expect((await info()).status).toBe(404);
    await validate();
    expect(outcome(await info())).toEqual([200, { status: { phone_number: 'XXX-XXX-0143' } }]);
  });
});

it.each([
  { textCodeSeconds: 120, enrolmentSeconds: 600 },
  { textCodeSeconds: 600, enrolmentSeconds: 120 },
])('a phone is set up with a code as long as its message says: %o', async (lives) => {
  await using brief = await startTestService(lives);
  const validateAt = async (seconds: number): Promise<number> => {
    const { add, validate } = await withPhone(brief);
    await add();
    expect(brief.outbox.texts().at(-1)?.text).toContain('It is valid for 2 minutes.');
    brief.passSeconds(seconds);
    return (await validate()).status;
  };
  expect([await validateAt(119), await validateAt(120)]).toEqual([200, 400]);
});

describeService(
  'setting up an authenticator app',
  (service) => {
    it('returns a secret and its QR code, and is on after the app’s code was entered', async () => {
      const { bearer, uid } = await service.signedIn();
      const token = await service.verified(bearer);
      const enrolment = await service.addApp(bearer, token);
      const secret = text(enrolment, 'code');
      expect(secret).toMatch(/^[A-Z2-7]{32}$/);
      expect(text(enrolment, 'url')).toBe(
        `otpauth://totp/Pay%20%26%20Co:ada%40example.com?secret=${secret}&issuer=Pay%20%26%20Co`,
      );
      expect(await service.activeFactors(bearer, uid)).toEqual(off);

      const code = await appCode(secret, service.now());
      expect((await service.validateApp(bearer, code, token)).status).toBe(200);
      expect(await service.activeFactors(bearer, uid)).toEqual(byApp);
      expect((await service.signIn()).body).toMatchObject({ mfaRequired: true, mfaType: 'mfa' });
    });

    it('consumes the code: sign-in needs the next one', async () => {
      const { shown, validate } = await withApp(service);
      await validate();
      const challenge = await service.challenge();
      expect((await service.enterCode(challenge, await shown())).status).toBe(401);
      expect((await service.enterCode(challenge, await shown(30))).status).toBe(200);
    });

    it('creates a new secret each time; only the newest is valid', async () => {
      const { bearer, token, shown, validate } = await withApp(service);
      const secret = text(await service.addApp(bearer, token), 'code');
      expect(outcome(await validate(await shown()))).toEqual([401, wrongCode]);
      expect((await validate(await appCode(secret, service.now()))).status).toBe(200);
    });

    it('keeps the old app until the new one is verified', async () => {
      const { shown, validate } = await withApp(service, { mfa: app });
      const enter = async (code: string) => (await service.enterCode(await service.challenge(), code)).status;
      expect(await enter(await service.codeOfApp())).toBe(200);
      expect((await validate()).status).toBe(200);
      service.passSeconds(60);
      expect(await enter(await service.codeOfApp())).toBe(401);
      expect(await enter(await shown())).toBe(200);
    });

    it('replaces text messages and ends the enrolment of a phone', async () => {
      const phoneSetUp = await withPhone(service, { mfa: sms });
      const { bearer, token, factors } = phoneSetUp;
      await phoneSetUp.add({ phone: '+12025550177' });
      const secret = text(await service.addApp(bearer, token), 'code');
      await service.validateApp(bearer, await appCode(secret, service.now()), token);
      expect(await factors()).toEqual(byApp);
      expect((await service.get('/mfa/v1/authy-info', { bearer })).status).toBe(404);
      const late = service.validatePhone(bearer, service.outbox.newestCode(), await service.verified(bearer));
      expect((await late).status).toBe(400);
    });

    it('is not verified by the code of a phone, or a phone by the code of an app', async () => {
      const { bearer, token, shown } = await withApp(service);
      expect((await service.validatePhone(bearer, await shown(), token)).status).toBe(400);
    });

    it('of one user is not verified by another', async () => {
      const { shown } = await withApp(service);
      const { bearer } = await service.signedIn({ username: 'bob@example.com' });
      const response = await service.validateApp(bearer, await shown(), await service.verified(bearer));
      expect(response.status).toBe(400);
    });

    it('never logs the secret', async () => {
      const { token, secret, validate } = await withApp(service);
      await validate();
      expect(service.log.text()).toContain('two-step-set');
      for (const hidden of [secret, token]) expect(service.log.text()).not.toContain(hidden);
    });
  },
  { productName: 'Pay & Co' },
);

/** RFC 6238, appendix B (SHA-1), cut to the six digits that apps show. */
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const rfcCodes = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

describe('the codes of an authenticator app', () => {
  it.each(rfcCodes)('are those of RFC 6238 at second %i', async (second, code) => {
    expect(totpCode(rfcSecret, second * 1000)).toBe(code);
    expect(matchingStep(rfcSecret, code, second * 1000)).toBe(Math.floor(second / 30));
    // The tests' own app is checked with the same vectors.
    expect(await appCode(rfcSecret, second * 1000)).toBe(code);
  });

  it('consist of exactly six digits', async () => {
    const at = 59_000;
    for (const entered of [
      '',
      '28708',
      '2870820',
      ' 287082',
      '２８７０８２',
      await wrongAppCode(rfcSecret, at),
    ]) {
      expect(matchingStep(rfcSecret, entered, at)).toBeNull();
    }
  });
});

describe('the secret of an authenticator app', () => {
  it('has 160 bits, new each time', () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) {
      expect(secret).toMatch(/^[A-Z2-7]{32}$/);
      expect(fromBase32(secret)).toHaveLength(20);
    }
  });

  it.each([
    ['f', 'MY'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('is written in base32: %p as %p (RFC 4648 §10)', (plain, encoded) => {
    expect(toBase32(Buffer.from(plain))).toBe(encoded);
    expect(fromBase32(encoded).toString()).toBe(plain);
    expect(fromBase32(`${encoded.toLowerCase()}======`).toString()).toBe(plain);
  });

  it('is rejected in any other alphabet', () => {
    expect(() => fromBase32('MZXW1')).toThrow('not base32');
  });
});
