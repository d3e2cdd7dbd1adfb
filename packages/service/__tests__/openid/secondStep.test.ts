import { itWith, optionsOf } from '../support/extensions.ts';
import { otherThan, wrongAppCode } from '../support/authenticator.ts';
import { addKey, passkeyAuthenticator } from '../support/passkeyAuthenticator.ts';
import {
  app,
  appSecret,
  lockedFor15Minutes,
  outcome,
  phone,
  sms,
  tooManyTexts,
  verifyAgain,
} from '../support/secondStep.ts';
import { loginOrigin, text, type TestResponse, type TestService } from '../support/testService.ts';
import { Application, Browser, reports, startProvider } from './application.ts';

const wrong = { error: { code: 'code_wrong', message: 'Incorrect Security or Verification Code' } };

describe('the second step of a proof for an application', () => {
  let service: TestService;
  let browser: Browser;
  let application: Application;

  beforeAll(async () => {
    service = await startProvider([reports], {
      ...optionsOf('openid', 'passkeys'),
      languages: ['en', 'de'],
    });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await service.directory.resetAll();
    await service.write();
    browser = new Browser(service);
    application = new Application(service);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const later = (seconds: number): void => {
    const now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now + seconds * 1000);
  };
  /** A request that waits for a proof, of a session that began before the second step was set up. */
  const asked = async (mfa: typeof sms | typeof app | null) => {
    const bearer = await browser.signIn();
    if (mfa !== null) await service.write({ mfa });
    return request(bearer);
  };
  const request = async (bearer: string) => {
    const { location } = await browser.get(
      application.address({ prompt: 'login', acr_values: 'urn:vestibule:2' }),
    );
    const path = `/auth/v1/openid/requests/${/\/continue\/([^/?]+)$/.exec(location)?.[1] ?? ''}`;
    return {
      bearer,
      secondStep: async () => (await service.get(path, { bearer })).body['secondStep'],
      send: (authVerificationToken: string, headers = {}) =>
        service.post(`${path}/code`, { authVerificationToken }, { bearer, headers }),
      answer: (authVerificationToken: string, code?: string): Promise<TestResponse> =>
        service.post(path, { allow: true, authVerificationToken, code }, { bearer }),
    };
  };

  it.each([
    ['no second step', null, null],
    ['a text message', sms, 'sms'],
    ['an authenticator app', app, 'app'],
  ])('is told: %s', async (_what, mfa, told) => {
    expect(await (await asked(mfa)).secondStep()).toBe(told);
  });

  it('is a code that is sent to the phone, and works once', async () => {
    const { bearer, send, answer } = await asked(sms);
    const proof = await service.verified(bearer);
    const before = service.outbox.texts().length;
    later(30);
    expect(outcome(await send(proof))).toEqual([200, { type: 'sms', lastFourPhone: phone.slice(-4) }]);
    const code = service.outbox.newestCode();
    expect(service.outbox.texts().slice(before)).toEqual([
      {
        to: phone,
        text: [
          // The code ends with the proof, which lives three minutes.
          `${code} is your Payments verification code. It is valid for 2 minutes. Do not share it with anyone.`,
          '',
          `@login.payments.localhost #${code}`,
        ].join('\n'),
      },
    ]);
    expect(outcome(await answer(proof))).toEqual([401, wrong]);
    expect(outcome(await answer(proof, otherThan(code)))).toEqual([401, wrong]);
    expect((await answer(proof, code)).status).toBe(200);
    const again = await request(bearer);
    expect(outcome(await again.answer(await service.verified(bearer), code))).toEqual([401, wrong]);
  });

  it('is the code that the app shows, which works once', async () => {
    const { bearer, send, answer } = await asked(app);
    const proof = await service.verified(bearer);
    const before = service.outbox.texts().length;
    expect(outcome(await send(proof))).toEqual([200, { type: 'app', lastFourPhone: null }]);
    expect(service.outbox.texts()).toHaveLength(before);
    const code = await service.codeOfApp();
    const responses = await Promise.all(Array.from({ length: 3 }, () => answer(proof, code)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const challenge = await service.challenge();
    expect((await service.enterCode(challenge, code)).status).toBe(401);
  });

  it('is worded in the language of the call', async () => {
    const { bearer, send } = await asked(sms);
    await send(await service.verified(bearer), { 'Accept-Language': 'de' });
    expect(service.outbox.texts().at(-1)?.text).toContain('ist Ihr Bestätigungscode für Payments');
  });

  it.each([sms, app])('needs a proof of this session: $type', async (mfa) => {
    const { bearer, send, answer } = await asked(mfa);
    const other = text(await service.signIn(), 'authVerificationToken');
    for (const token of ['invented', other]) {
      expect(outcome(await send(token))).toEqual([401, verifyAgain]);
      expect(outcome(await answer(token, '123456'))).toEqual([401, verifyAgain]);
    }
    const proof = await service.verified(bearer);
    later(181);
    expect(outcome(await send(proof))).toEqual([401, verifyAgain]);
  });

  it('refuses the former code after another one was sent', async () => {
    const { bearer, send, answer } = await asked(sms);
    const proof = await service.verified(bearer);
    await send(proof);
    const former = service.outbox.newestCode();
    do await send(proof);
    while (service.outbox.newestCode() === former);
    expect(outcome(await answer(proof, former))).toEqual([401, wrong]);
    expect((await answer(proof, service.outbox.newestCode())).status).toBe(200);
  });

  it('refuses a code that was sent to a former phone', async () => {
    const { bearer, send, answer } = await asked(sms);
    const proof = await service.verified(bearer);
    await send(proof);
    const code = service.outbox.newestCode();
    await service.write({ mfa: { ...sms, phone: '+12025550199' } });
    expect(outcome(await answer(proof, code))).toEqual([401, verifyAgain]);
  });

  it('locks the session after five wrong codes, and not the sign-in', async () => {
    const { bearer, answer } = await asked(app);
    const proof = await service.verified(bearer);
    const guess = await wrongAppCode(appSecret, Date.now());
    for (let count = 1; count < 5; count++) expect(outcome(await answer(proof, guess))).toEqual([401, wrong]);
    expect(outcome(await answer(proof, guess))).toEqual([429, lockedFor15Minutes]);
    expect((await answer(proof, await service.codeOfApp())).status).toBe(429);
    const challenge = await service.challenge();
    expect((await service.enterCode(challenge, await service.codeOfApp())).status).toBe(200);
  });

  it('sends no code while the session is locked', async () => {
    const { bearer, send, answer } = await asked(sms);
    const proof = await service.verified(bearer);
    for (let count = 0; count < 5; count++) await answer(proof, '000000');
    const before = service.outbox.texts().length;
    expect(outcome(await send(proof))).toEqual([429, lockedFor15Minutes]);
    expect(service.outbox.texts()).toHaveLength(before);
  });

  it('counts a used code of the app as a wrong one', async () => {
    const { bearer, answer } = await asked(app);
    const code = await service.codeOfApp();
    await service.enterCode(await service.challenge(), code);
    const proof = await service.verified(bearer);
    for (let count = 1; count < 5; count++) await answer(proof, code);
    expect((await answer(proof, code)).status).toBe(429);
  });

  it('has the limits of text messages at a sign-in', async () => {
    const { bearer, send } = await asked(sms);
    const proof = await service.verified(bearer);
    for (let count = 0; count < 10; count++) expect((await send(proof)).status).toBe(200);
    expect(outcome(await send(proof))).toEqual([429, tooManyTexts]);
  });

  itWith('passkeys')('is not asked for after a passkey', async () => {
    const { bearer, answer } = await asked(app);
    const device = passkeyAuthenticator(loginOrigin);
    const key = await addKey(service, device, bearer);
    const { body } = await service.post('/auth/v1/passkeys/verify/options', {}, { bearer });
    const { challengeToken, publicKey } = body as unknown as {
      challengeToken: string;
      publicKey: { challenge: string };
    };
    const credential = device.get(key, publicKey);
    const verified = await service.post(
      '/auth/v1/passkeys/verify',
      { challengeToken, credential },
      { bearer },
    );
    expect((await answer(text(verified, 'authVerificationToken'))).status).toBe(200);
  });

  it('is in the audit log', async () => {
    const { bearer, answer } = await asked(app);
    await answer(await service.verified(bearer), await service.codeOfApp());
    const steps = [];
    for await (const entry of service.directory.auditLog.read())
      if (entry.event === 'second-step') steps.push([entry.outcome, entry.method]);
    expect(steps).toEqual([['success', 'mfa']]);
  });
});
