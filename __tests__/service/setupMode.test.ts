/** @jest-environment node */
import { decodeJwt } from 'jose';
import { appCode } from './support/authenticator';
import { enterCode, outcome, phone, unauthorized, verified } from './support/secondStep';
import {
  account,
  signIn,
  startTestService,
  text,
  type Answer,
  type TestService,
} from './support/testService';

jest.setTimeout(180_000);

describe('who has to set up two-step verification', () => {
  let world: TestService;
  let uid: string;
  let bearer: string;

  const post = (path: string, body: unknown): Promise<Answer> => world.post(path, body, { bearer });
  const addPhone = (): Promise<Answer> =>
    post('/mfa/v1/sms-authy-add', { phone, countryCode: 'US', register: true });
  const validate = (mfaCode: string, mfaRegistering: string): Promise<Answer> =>
    post('/mfa/v1/validate-setup', { mfaCode, mfaRegistering });

  beforeAll(async () => {
    world = await startTestService({ database: { folder: null } });
  });
  afterAll(async () => {
    await world.close();
  });
  beforeEach(async () => {
    await world.service.directory.resetAll();
    ({ uid } = await world.service.directory.upsertAccount(account({ mustSetUpMfa: true })));
    bearer = text(await signIn(world), 'mfaJWT');
  });

  it('sets up a phone without verifying the identity, sees it, and signs in again with a code', async () => {
    expect(decodeJwt(bearer)).toMatchObject({ isMfaSetup: true, uid });
    expect(outcome(await addPhone())).toEqual([200, { lastFourPhone: '0143' }]);
    expect((await validate(world.outbox.newestCode(), 'authy')).status).toBe(200);
    const info = await world.get('/mfa/v1/authy-info', { bearer });
    expect(info.body).toEqual({ status: { phone_number: 'XXX-XXX-0143' } });
    const user = await world.get(`/user-management/v1/users/${uid}`, { bearer });
    expect(user.body).toMatchObject({ data: { attributes: { authyActive: true } } });

    const challenge = await signIn(world);
    expect(Object.keys(challenge.body)).not.toContain('mfaJWT');
    const code = world.outbox.newestCode();
    const session = await enterCode(world, text(challenge, 'authVerificationToken'), code);
    expect(decodeJwt(text(session, 'token'))).toMatchObject({ isMfaSetup: false });
  });

  it('sets up an app the same way', async () => {
    const secret = text(await post('/mfa/v1/twofactor-add', {}), 'code');
    expect((await validate(await appCode(secret, world.now()), 'mfa')).status).toBe(200);
    expect((await signIn(world)).body).toMatchObject({ mfaRequired: true, mfaType: 'mfa' });
  });

  it('goes on having to, when the set-up was begun and not finished', async () => {
    await addPhone();
    expect(Object.keys((await signIn(world)).body).sort()).toEqual(['mfaJWT', 'uid']);
  });

  it('cannot change it with the set-up token that is left over', async () => {
    const secret = text(await post('/mfa/v1/twofactor-add', {}), 'code');
    await addPhone();
    await validate(world.outbox.newestCode(), 'authy');
    const late = [
      await addPhone(),
      await post('/mfa/v1/twofactor-add', {}),
      await validate(await appCode(secret, world.now()), 'mfa'),
    ];
    for (const answer of late) expect(outcome(answer)).toEqual([401, unauthorized]);
  });

  it('cannot bring a factor back with it after the owner turned theirs off', async () => {
    await addPhone();
    await validate(world.outbox.newestCode(), 'authy');
    const challenge = text(await signIn(world), 'authVerificationToken');
    const session = text(await enterCode(world, challenge, world.outbox.newestCode()), 'token');
    const off = { password: 'Correct-horse7', authVerificationToken: await verified(world, session) };
    expect((await world.post('/mfa/v1/disable', off, { bearer: session })).status).toBe(200);
    // In the same second, and then with a set-up that a new token began.
    for (const answer of [await addPhone(), await post('/mfa/v1/twofactor-add', {})]) {
      expect(outcome(answer)).toEqual([401, unauthorized]);
    }
    const fresh = text(await signIn(world), 'mfaJWT');
    const begun = await world.post('/mfa/v1/twofactor-add', {}, { bearer: fresh });
    const code = await appCode(text(begun, 'code'), world.now());
    expect(outcome(await validate(code, 'mfa'))).toEqual([401, unauthorized]);
    bearer = fresh;
    expect((await validate(code, 'mfa')).status).toBe(200);
  });

  it('cannot go on once the administrator no longer demands it', async () => {
    await world.service.directory.upsertAccount(account());
    expect(outcome(await addPhone())).toEqual([401, unauthorized]);
  });

  it('has one factor after a phone and an app were verified at the same moment', async () => {
    const secret = text(await post('/mfa/v1/twofactor-add', {}), 'code');
    await addPhone();
    const answers = await Promise.all([
      validate(world.outbox.newestCode(), 'authy'),
      validate(await appCode(secret, world.now()), 'mfa'),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const attributes = (await world.get(`/user-management/v1/users/${uid}`, { bearer })).body;
    const { authyActive, twoFactorActive } = (
      attributes as { data: { attributes: { authyActive: boolean; twoFactorActive: boolean } } }
    ).data.attributes;
    expect(authyActive).not.toBe(twoFactorActive);
  });

  it('cannot turn anything off, nor verify an identity: there is no session', async () => {
    const answers = [
      await post('/mfa/v1/disable', { password: 'Correct-horse7' }),
      await post('/auth/v1/validate-password', { password: 'Correct-horse7' }),
    ];
    for (const answer of answers) expect(outcome(answer)).toEqual([401, unauthorized]);
  });

  it('has 15 minutes, and none once the password was changed', async () => {
    world.passSeconds(899);
    expect((await addPhone()).status).toBe(200);
    world.passSeconds(1);
    expect(outcome(await addPhone())).toEqual([401, unauthorized]);

    bearer = text(await signIn(world), 'mfaJWT');
    world.passSeconds(1);
    const lastReset = new Date(world.now());
    await world.service.directory.upsertAccount(account({ mustSetUpMfa: true, lastReset }));
    expect(outcome(await addPhone())).toEqual([401, unauthorized]);
    bearer = text(await signIn(world), 'mfaJWT');
    expect((await addPhone()).status).toBe(200);
  });

  it('cannot set up anything for somebody else', async () => {
    const bob = await world.service.directory.upsertAccount(account({ username: 'bob@example.com' }));
    await addPhone();
    await validate(world.outbox.newestCode(), 'authy');
    expect((await signIn(world, { username: 'bob@example.com' })).body).toHaveProperty('token');
    expect((await world.get(`/user-management/v1/users/${bob.uid}`, { bearer })).status).toBe(403);
  });
});
