/** @jest-environment node */
import { otherThan } from './support/authenticator';
import {
  activeFactors,
  app,
  challengeOf,
  enterCode,
  lockedFor15Minutes,
  outcome,
  phone,
  signedIn,
  sms,
  tooManyTexts,
  verified,
  verifyAgain,
  wrongCode,
} from './support/secondStep';
import { signIn, startTestService, text, type Answer, type TestService } from './support/testService';

jest.setTimeout(180_000);

describe('setting up text messages', () => {
  let world: TestService;

  const add = (bearer: string, authVerificationToken?: string, more = {}): Promise<Answer> =>
    world.post(
      '/mfa/v1/sms-authy-add',
      {
        phone,
        countryCode: 'US',
        register: true,
        ...(authVerificationToken === undefined ? {} : { authVerificationToken }),
        ...more,
      },
      { bearer },
    );
  const validate = (bearer: string, mfaCode: string, authVerificationToken?: string): Promise<Answer> =>
    world.post(
      '/mfa/v1/validate-setup',
      {
        mfaCode,
        mfaRegistering: 'authy',
        ...(authVerificationToken === undefined ? {} : { authVerificationToken }),
      },
      { bearer },
    );
  const off = { authyActive: false, twoFactorActive: false };
  const byText = { authyActive: true, twoFactorActive: false };
  const expired = {
    error: { message: 'The time to enter the code is over. Please start again.', code: 'invalid_request' },
  };

  beforeAll(async () => {
    world = await startTestService({ database: { folder: null } });
  });
  afterAll(async () => {
    await world.close();
  });
  beforeEach(async () => {
    world.outbox.refuse(false);
    await world.service.directory.resetAll();
  });

  it('sends a code to the phone and is on once the code was entered', async () => {
    const { bearer, uid } = await signedIn(world);
    const token = await verified(world, bearer);
    const before = world.outbox.texts().length;
    expect(outcome(await add(bearer, token))).toEqual([200, { lastFourPhone: '0143' }]);
    expect(world.outbox.texts().slice(before)).toMatchObject([{ to: phone }]);
    expect(await activeFactors(world, bearer, uid)).toEqual(off);

    expect((await validate(bearer, world.outbox.newestCode(), token)).status).toBe(200);
    expect(await activeFactors(world, bearer, uid)).toEqual(byText);
    const challenge = await signIn(world);
    expect(challenge.body).toMatchObject({ mfaRequired: true, mfaType: 'authy' });
    expect(text(challenge, 'authyId')).toMatch(/^\d{8}$/);
    const code = world.outbox.newestCode();
    expect((await enterCode(world, text(challenge, 'authVerificationToken'), code)).status).toBe(200);
  });

  it.each([
    ['+447700900123', 'GB', '0123'],
    ['+447400123456', 'GB', '3456'],
    ['+12125550199', 'US', '0199'],
  ])('takes %s (%s)', async (number, countryCode, lastFourPhone) => {
    const { bearer } = await signedIn(world);
    const answer = await add(bearer, await verified(world, bearer), { phone: number, countryCode });
    expect(outcome(answer)).toEqual([200, { lastFourPhone }]);
  });

  it.each([
    ['a British number as an American one', '+447700900123', 'US'],
    ['an American number as a British one', '+12025550143', 'GB'],
    ['a number of another country', '+4915112345678', 'GB'],
    ['a British landline', '+442079460123', 'GB'],
    ['a British forwarding number', '+447012345678', 'GB'],
    ['a British pager', '+447640123456', 'GB'],
    ['a phone of Jersey', '+447797712345', 'GB'],
    ['a phone of Guernsey', '+447781123456', 'GB'],
    ['a phone of the Isle of Man', '+447624123456', 'GB'],
    ['a phone of Jamaica', '+18765551234', 'US'],
    ['a phone of the Dominican Republic', '+18095551234', 'US'],
    ['a phone of the Bahamas', '+12425550143', 'US'],
    ['a phone of Canada', '+14165550143', 'US'],
    ['a phone of Puerto Rico', '+17875550123', 'US'],
    ['an American premium number', '+19005551234', 'US'],
    ['an American toll-free number', '+18005551234', 'US'],
    ['an American number that follows its owner', '+15005550006', 'US'],
    ['an American number that is too short', '+1202555014', 'US'],
    ['an American area code that does not exist', '+11025550143', 'US'],
    ['a number without its country', '2025550143', 'US'],
    ['a number with blanks', '+1 202 555 0143', 'US'],
    ['letters', '+1202555CALL', 'US'],
  ])('refuses %s, and sends nothing', async (_what, number, countryCode) => {
    const { bearer } = await signedIn(world);
    const before = world.outbox.texts().length;
    const answer = await add(bearer, await verified(world, bearer), { phone: number, countryCode });
    expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'invalid_request' } }]);
    expect(answer.text).not.toContain(number);
    expect(world.outbox.texts()).toHaveLength(before);
  });

  it('needs the identity verified at both steps, and sends nothing without', async () => {
    const { bearer, uid } = await signedIn(world);
    const before = world.outbox.texts().length;
    expect(outcome(await add(bearer))).toEqual([401, verifyAgain]);
    expect(world.outbox.texts()).toHaveLength(before);
    const token = await verified(world, bearer);
    await add(bearer, token);
    expect(outcome(await validate(bearer, world.outbox.newestCode()))).toEqual([401, verifyAgain]);
    world.passSeconds(180);
    expect(outcome(await validate(bearer, world.outbox.newestCode(), token))).toEqual([401, verifyAgain]);
    expect(await activeFactors(world, bearer, uid)).toEqual(off);
  });

  it('uses the verification up: the next change needs a new one', async () => {
    const { bearer } = await signedIn(world);
    const token = await verified(world, bearer);
    await add(bearer, token);
    await validate(bearer, world.outbox.newestCode(), token);
    expect(outcome(await add(bearer, token))).toEqual([401, verifyAgain]);
  });

  it('refuses a wrong code, says so, and takes the right one after', async () => {
    const { bearer } = await signedIn(world);
    const token = await verified(world, bearer);
    await add(bearer, token);
    const code = world.outbox.newestCode();
    expect(outcome(await validate(bearer, otherThan(code), token))).toEqual([401, wrongCode]);
    expect((await validate(bearer, code, token)).status).toBe(200);
  });

  it('takes five codes and then none for 15 minutes, also of a new set-up; signing in is not affected', async () => {
    const { bearer } = await signedIn(world);
    const token = await verified(world, bearer);
    await add(bearer, token);
    const wrong = otherThan(world.outbox.newestCode());
    for (let tries = 0; tries < 4; tries += 1)
      expect((await validate(bearer, wrong, token)).status).toBe(401);
    expect(outcome(await validate(bearer, wrong, token))).toEqual([429, lockedFor15Minutes]);
    await add(bearer, token);
    expect((await validate(bearer, world.outbox.newestCode(), token)).status).toBe(429);
    expect((await signIn(world)).status).toBe(200);
  });

  it('has nothing to verify before a phone was given, or when it was given ten minutes ago', async () => {
    const { bearer } = await signedIn(world);
    expect(outcome(await validate(bearer, '123456', await verified(world, bearer)))).toEqual([400, expired]);
    await add(bearer, await verified(world, bearer));
    world.passSeconds(600);
    const fresh = await verified(world, bearer);
    expect(outcome(await validate(bearer, world.outbox.newestCode(), fresh))).toEqual([400, expired]);
  });

  it('sends a new code when it is asked again; the old one is dead', async () => {
    const { bearer } = await signedIn(world);
    const token = await verified(world, bearer);
    await add(bearer, token, { phone: '+12025550177' });
    const old = world.outbox.newestCode();
    await add(bearer, token);
    while (world.outbox.newestCode() === old) await add(bearer, token);
    const code = world.outbox.newestCode();
    expect((await validate(bearer, old, token)).status).toBe(401);
    expect((await validate(bearer, code, token)).status).toBe(200);
    expect(await world.service.directory.findAccount('ada@example.com')).toMatchObject({ mfa: { phone } });
  });

  it('keeps the old number until the new one was verified, and its id with the provider after', async () => {
    const { bearer } = await signedIn(world, { mfa: sms });
    const token = await verified(world, bearer);
    await add(bearer, token, { phone: '+447700900123', countryCode: 'GB' });
    const code = world.outbox.newestCode();
    await signIn(world);
    expect(world.outbox.texts().at(-1)?.to).toBe(phone);
    expect((await validate(bearer, code, token)).status).toBe(200);
    expect(await signIn(world)).toMatchObject({ body: { authyId: '52001' } });
    expect(world.outbox.texts().at(-1)?.to).toBe('+447700900123');
  });

  it('takes the place of an authenticator app', async () => {
    const { bearer, uid } = await signedIn(world, { mfa: app });
    const token = await verified(world, bearer);
    await add(bearer, token);
    expect(await activeFactors(world, bearer, uid)).toEqual({ authyActive: false, twoFactorActive: true });
    await validate(bearer, world.outbox.newestCode(), token);
    expect(await activeFactors(world, bearer, uid)).toEqual(byText);
    expect((await signIn(world)).body).toMatchObject({ mfaType: 'authy' });
  });

  it('ends a challenge that asks for the former factor', async () => {
    const { bearer } = await signedIn(world, { mfa: sms });
    const challenge = await challengeOf(world);
    const former = world.outbox.newestCode();
    const token = await verified(world, bearer);
    await add(bearer, token, { phone: '+12025550177' });
    await validate(bearer, world.outbox.newestCode(), token);
    expect((await enterCode(world, challenge, former)).status).toBe(401);
  });

  it('is done once when the code comes five times at the same moment', async () => {
    const { bearer } = await signedIn(world);
    const token = await verified(world, bearer);
    await add(bearer, token);
    const code = world.outbox.newestCode();
    const answers = await Promise.all(Array.from({ length: 5 }, () => validate(bearer, code, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  describe('is limited', () => {
    it('to five messages an hour for one user, whatever the phones', async () => {
      const { bearer } = await signedIn(world);
      const token = await verified(world, bearer);
      for (let last = 1; last <= 5; last += 1) {
        expect((await add(bearer, token, { phone: `+1202555010${last}` })).status).toBe(200);
      }
      const refused = await add(bearer, token, { phone: '+12025550109' });
      expect([...outcome(refused), refused.headers.get('retry-after')]).toEqual([429, tooManyTexts, '3600']);
      world.passSeconds(3600);
      const later = text(await signIn(world), 'token');
      expect((await add(later, await verified(world, later))).status).toBe(200);
    });

    it('to five messages an hour for one phone, whoever asks; its owner still signs in', async () => {
      for (const name of ['bob', 'eve', 'joe']) {
        const { bearer } = await signedIn(world, { username: `${name}@example.com` });
        const token = await verified(world, bearer);
        await add(bearer, token);
        await add(bearer, token);
      }
      const { bearer } = await signedIn(world, { username: 'kim@example.com' });
      const before = world.outbox.texts().length;
      expect(outcome(await add(bearer, await verified(world, bearer)))).toEqual([429, tooManyTexts]);
      expect(world.outbox.texts()).toHaveLength(before);
      await signedIn(world, { mfa: sms });
      expect((await signIn(world)).body).toMatchObject({ mfaRequired: true });
    });

    it('also for a burst', async () => {
      const { bearer } = await signedIn(world);
      const token = await verified(world, bearer);
      const before = world.outbox.texts().length;
      await Promise.all(Array.from({ length: 15 }, () => add(bearer, token)));
      expect(world.outbox.texts()).toHaveLength(before + 5);
    });
  });

  it.each([
    { textCodeSeconds: 120, enrolmentSeconds: 600 },
    { textCodeSeconds: 600, enrolmentSeconds: 120 },
  ])('takes a code as long as its message says: %o', async (lives) => {
    const brief = await startTestService({ database: { folder: null }, ...lives });
    const validateAt = async (seconds: number): Promise<number> => {
      const { bearer } = await signedIn(brief);
      const authVerificationToken = await verified(brief, bearer);
      const number = { phone, countryCode: 'US', register: true, authVerificationToken };
      await brief.post('/mfa/v1/sms-authy-add', number, { bearer });
      expect(brief.outbox.texts().at(-1)?.text).toContain('It is valid for 2 minutes.');
      brief.passSeconds(seconds);
      const code = { mfaCode: brief.outbox.newestCode(), mfaRegistering: 'authy', authVerificationToken };
      return (await brief.post('/mfa/v1/validate-setup', code, { bearer })).status;
    };
    try {
      expect([await validateAt(119), await validateAt(120)]).toEqual([200, 400]);
    } finally {
      await brief.close();
    }
  });

  it('says when the message could not be sent', async () => {
    const { bearer } = await signedIn(world);
    const token = await verified(world, bearer);
    world.outbox.refuse(true);
    expect((await add(bearer, token)).status).toBe(503);
  });

  it('shows the number only by its last four digits, and only where there is one', async () => {
    const { bearer } = await signedIn(world);
    const none = await world.get('/mfa/v1/authy-info', { bearer });
    expect(outcome(none)).toEqual([
      404,
      { error: { message: 'Text messages are not set up.', code: 'not_found' } },
    ]);
    const token = await verified(world, bearer);
    await add(bearer, token);
    expect((await world.get('/mfa/v1/authy-info', { bearer })).status).toBe(404);
    await validate(bearer, world.outbox.newestCode(), token);
    const info = await world.get('/mfa/v1/authy-info', { bearer });
    expect(outcome(info)).toEqual([200, { status: { phone_number: 'XXX-XXX-0143' } }]);
  });
});
