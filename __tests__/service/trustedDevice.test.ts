/** @jest-environment node */
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { reset } from './support/links';
import { newDatabase } from './support/postgres';
import { challengeOf, codeOfApp, enterCode, app, signedIn, verified } from './support/secondStep';
import { account, issuer, signIn, startTestService, text, type TestService } from './support/testService';

jest.setTimeout(180_000);

describe('a device that is trusted', () => {
  let world: TestService;

  beforeAll(async () => {
    world = await startTestService({ database: { url: await newDatabase() } });
  });
  afterAll(async () => {
    await world.close();
  });
  beforeEach(async () => {
    await world.service.directory.resetAll();
    // Each code counts once.
    world.passSeconds(60);
  });

  const trust = async (): Promise<string> => {
    const answer = await enterCode(world, await challengeOf(world), await codeOfApp(world), { trust: true });
    return text(answer, 'trustedToken');
  };
  const asksForCode = async (trustedJWT: string, username = 'ada@example.com'): Promise<boolean> =>
    (await signIn(world, { username, trustedJWT })).body['mfaRequired'] === true;

  it('gets a token of its own for 30 days, which is not a session', async () => {
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

  it('gets none unless it was asked for', async () => {
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

  it('does not skip the password', async () => {
    await world.service.directory.upsertAccount(account({ mfa: app }));
    const trustedJWT = await trust();
    expect((await signIn(world, { password: 'wrong', trustedJWT })).status).toBe(401);
  });

  it('is trusted for its own user only', async () => {
    await world.service.directory.upsertAccount(account({ mfa: app }));
    await world.service.directory.upsertAccount(account({ username: 'bob@example.com', mfa: app }));
    expect(await asksForCode(await trust(), 'bob@example.com')).toBe(true);
  });

  it('is trusted no more once the second factor was turned off and set up again', async () => {
    const { bearer } = await signedIn(world, { mfa: app });
    const trustedToken = await trust();
    const body = { password: 'Correct-horse7', authVerificationToken: await verified(world, bearer) };
    expect((await world.post('/mfa/v1/disable', body, { bearer })).status).toBe(200);
    const token = await verified(world, bearer);
    await setUpPhone(bearer, token);
    expect(await asksForCode(trustedToken)).toBe(true);
  });

  it('is trusted no more once the second factor was changed', async () => {
    const { bearer } = await signedIn(world, { mfa: app });
    const trustedToken = await trust();
    await setUpPhone(bearer, await verified(world, bearer));
    expect(await asksForCode(trustedToken)).toBe(true);
  });

  it('stays trusted while a change is begun and not finished', async () => {
    const { bearer } = await signedIn(world, { mfa: app });
    const trustedToken = await trust();
    const body = { authVerificationToken: await verified(world, bearer) };
    await world.post('/mfa/v1/twofactor-add', body, { bearer });
    expect(await asksForCode(trustedToken)).toBe(false);
  });

  it('is trusted no more once the password was reset, and nobody else’s is', async () => {
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
