/** @jest-environment node */
import { appCode, wrongAppCode } from './support/authenticator';
import {
  activeFactors,
  app,
  challengeOf,
  codeOfApp,
  enterCode,
  lockedFor15Minutes,
  outcome,
  signedIn,
  sms,
  verified,
  verifyAgain,
  wrongCode,
} from './support/secondStep';
import { signIn, startTestService, text, type Answer, type TestService } from './support/testService';

jest.setTimeout(180_000);

describe('setting up an authenticator app', () => {
  let world: TestService;

  const add = (bearer: string, authVerificationToken: string): Promise<Answer> =>
    world.post('/mfa/v1/twofactor-add', { authVerificationToken }, { bearer });
  const validate = (bearer: string, mfaCode: string, authVerificationToken: string): Promise<Answer> =>
    world.post(
      '/mfa/v1/validate-setup',
      { mfaCode, mfaRegistering: 'mfa', authVerificationToken },
      { bearer },
    );
  const shown = (secret: string, secondsLater = 0): Promise<string> =>
    appCode(secret, world.now() + secondsLater * 1000);

  beforeAll(async () => {
    world = await startTestService({ database: { folder: null }, productName: 'Pay & Co' });
  });
  afterAll(async () => {
    await world.close();
  });
  beforeEach(async () => {
    await world.service.directory.resetAll();
  });

  it('gives a secret and its QR code, and is on once the app’s code was entered', async () => {
    const { bearer, uid } = await signedIn(world);
    const token = await verified(world, bearer);
    const enrolment = await add(bearer, token);
    const secret = text(enrolment, 'code');
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(text(enrolment, 'url')).toBe(
      `otpauth://totp/Pay%20%26%20Co:ada%40example.com?secret=${secret}&issuer=Pay%20%26%20Co`,
    );
    expect(await activeFactors(world, bearer, uid)).toEqual({ authyActive: false, twoFactorActive: false });

    expect((await validate(bearer, await shown(secret), token)).status).toBe(200);
    expect(await activeFactors(world, bearer, uid)).toEqual({ authyActive: false, twoFactorActive: true });
    expect((await signIn(world)).body).toMatchObject({ mfaRequired: true, mfaType: 'mfa' });
  });

  it('uses the code up: signing in takes the next one', async () => {
    const { bearer } = await signedIn(world);
    const token = await verified(world, bearer);
    const secret = text(await add(bearer, token), 'code');
    const code = await shown(secret);
    await validate(bearer, code, token);
    const challenge = await challengeOf(world);
    expect((await enterCode(world, challenge, code)).status).toBe(401);
    expect((await enterCode(world, challenge, await shown(secret, 30))).status).toBe(200);
  });

  it('needs the identity verified at both steps', async () => {
    const { bearer } = await signedIn(world);
    const token = await verified(world, bearer);
    const secret = text(await add(bearer, token), 'code');
    const body = { mfaCode: await shown(secret), mfaRegistering: 'mfa' };
    expect(outcome(await world.post('/mfa/v1/validate-setup', body, { bearer }))).toEqual([401, verifyAgain]);
    world.passSeconds(180);
    expect(outcome(await add(bearer, token))).toEqual([401, verifyAgain]);
    expect(outcome(await validate(bearer, await shown(secret), token))).toEqual([401, verifyAgain]);
  });

  it('makes a new secret each time; only the newest counts', async () => {
    const { bearer } = await signedIn(world);
    const token = await verified(world, bearer);
    const [old, secret] = [text(await add(bearer, token), 'code'), text(await add(bearer, token), 'code')];
    expect(outcome(await validate(bearer, await shown(old), token))).toEqual([401, wrongCode]);
    expect((await validate(bearer, await shown(secret), token)).status).toBe(200);
  });

  it('takes five codes and then none for 15 minutes', async () => {
    const { bearer } = await signedIn(world);
    const token = await verified(world, bearer);
    const secret = text(await add(bearer, token), 'code');
    const wrong = await wrongAppCode(secret, world.now());
    for (let tries = 0; tries < 4; tries += 1) {
      expect(outcome(await validate(bearer, wrong, token))).toEqual([401, wrongCode]);
    }
    expect(outcome(await validate(bearer, wrong, token))).toEqual([429, lockedFor15Minutes]);
    expect((await validate(bearer, await shown(secret), token)).status).toBe(429);
  });

  it('keeps the old app until the new one was verified, and not after', async () => {
    const { bearer } = await signedIn(world, { mfa: app });
    const token = await verified(world, bearer);
    const secret = text(await add(bearer, token), 'code');
    expect((await enterCode(world, await challengeOf(world), await codeOfApp(world))).status).toBe(200);
    expect((await validate(bearer, await shown(secret), token)).status).toBe(200);
    world.passSeconds(60);
    const challenge = await challengeOf(world);
    expect((await enterCode(world, challenge, await codeOfApp(world))).status).toBe(401);
    expect((await enterCode(world, challenge, await shown(secret))).status).toBe(200);
  });

  it('takes the place of text messages; a phone that was waiting for its code is forgotten', async () => {
    const { bearer, uid } = await signedIn(world, { mfa: sms });
    const token = await verified(world, bearer);
    const phone = { phone: '+12025550177', countryCode: 'US', register: true, authVerificationToken: token };
    await world.post('/mfa/v1/sms-authy-add', phone, { bearer });
    const secret = text(await add(bearer, token), 'code');
    await validate(bearer, await shown(secret), token);
    expect(await activeFactors(world, bearer, uid)).toEqual({ authyActive: false, twoFactorActive: true });
    expect((await world.get('/mfa/v1/authy-info', { bearer })).status).toBe(404);
    const late = {
      mfaCode: world.outbox.newestCode(),
      mfaRegistering: 'authy',
      authVerificationToken: await verified(world, bearer),
    };
    expect((await world.post('/mfa/v1/validate-setup', late, { bearer })).status).toBe(400);
  });

  it('is not verified by the code of a phone, nor the other way round', async () => {
    const { bearer } = await signedIn(world);
    const token = await verified(world, bearer);
    const secret = text(await add(bearer, token), 'code');
    const asPhone = { mfaCode: await shown(secret), mfaRegistering: 'authy', authVerificationToken: token };
    expect((await world.post('/mfa/v1/validate-setup', asPhone, { bearer })).status).toBe(400);
  });

  it('of one user is not verified by another', async () => {
    const ada = await signedIn(world);
    const secret = text(await add(ada.bearer, await verified(world, ada.bearer)), 'code');
    const bob = await signedIn(world, { username: 'bob@example.com' });
    const answer = await validate(bob.bearer, await shown(secret), await verified(world, bob.bearer));
    expect(answer.status).toBe(400);
  });

  it('is done once when the code comes twice at the same moment', async () => {
    const { bearer } = await signedIn(world);
    const token = await verified(world, bearer);
    const code = await shown(text(await add(bearer, token), 'code'));
    const answers = await Promise.all([validate(bearer, code, token), validate(bearer, code, token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('leaves nothing of the secret in the log', async () => {
    const { bearer } = await signedIn(world);
    const token = await verified(world, bearer);
    const secret = text(await add(bearer, token), 'code');
    await validate(bearer, await shown(secret), token);
    expect(world.log.text()).toContain('second factor set up');
    for (const hidden of [secret, token]) expect(world.log.text()).not.toContain(hidden);
  });
});
