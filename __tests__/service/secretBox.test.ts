/** @jest-environment node */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../service/database/connect';
import { createSecretBox } from '../../service/security/secretBox';
import { appCode } from './support/authenticator';
import { recordingLogger } from './support/recordingLogger';
import { account, signIn, startTestService, text } from './support/testService';

jest.setTimeout(120_000);

const key = randomBytes(32).toString('base64');
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

describe('secrets that have to be read back', () => {
  const box = createSecretBox(key);

  it('are opened by the same key for the same user, and look different each time', () => {
    const sealed = [box.seal(secret, 'u_1'), box.seal(secret, 'u_1')];
    expect(new Set(sealed).size).toBe(2);
    expect(sealed.map((one) => box.open(one, 'u_1'))).toEqual([secret, secret]);
    expect(
      createSecretBox(Buffer.from(key, 'base64').toString('base64url')).open(sealed[0] ?? '', 'u_1'),
    ).toBe(secret);
    expect(sealed.join()).not.toContain(secret);
  });

  it.each([
    ['for another user', (sealed: string) => box.open(sealed, 'u_2')],
    [
      'with another key',
      (sealed: string) => createSecretBox(randomBytes(32).toString('base64')).open(sealed, 'u_1'),
    ],
    ['without a key', (sealed: string) => createSecretBox(undefined).open(sealed, 'u_1')],
    [
      'after a change',
      (sealed: string) =>
        box.open(`${sealed.slice(0, 10)}${sealed[10] === 'A' ? 'B' : 'A'}${sealed.slice(11)}`, 'u_1'),
    ],
    ['cut short', (sealed: string) => box.open(sealed.slice(0, -2), 'u_1')],
  ])('are not opened %s', (_how, open) => {
    const sealed = box.seal(secret, 'u_1');
    expect(() => open(sealed)).toThrow();
  });

  it('stay readable that were stored before there was a key', () => {
    expect(box.open(createSecretBox(undefined).seal(secret, 'u_1'), 'u_1')).toBe(secret);
  });

  it.each(['', 'short', randomBytes(16).toString('base64'), 'not base64 ! '.repeat(4)])(
    'are not sealed with %p for a key',
    (wrong) => {
      expect(() => createSecretBox(wrong)).toThrow(
        'encryptionKey (ENCRYPTION_KEY) must be 32 bytes in base64.',
      );
    },
  );
});

it('with a key, the database does not hold the secret of an app, and the app still signs in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-sealed-'));
  const world = await startTestService({ database: { folder }, encryptionKey: key });
  const { mfa } = await world.service.directory.upsertAccount(account({ mfa: { type: 'mfa', secret } }));
  const challenge = await signIn(world);
  const answer = await world.post('/auth/v1/token', {
    username: 'ada@example.com',
    method: 'basic',
    authVerificationToken: text(challenge, 'authVerificationToken'),
    mfaCode: await appCode(secret, world.now()),
  });
  await world.close();

  const { db, close } = await connect({ folder }, recordingLogger().logger);
  const stored = await db.selectFrom('mfa_factors').select('totp_secret').execute();
  await close();
  rmSync(folder, { recursive: true, force: true });
  expect([answer.status, mfa]).toEqual([200, { type: 'mfa', secret }]);
  expect(stored).toEqual([{ totp_secret: expect.stringMatching(/^v1\.[\w-]{70,}$/) as unknown }]);
});
