import type { FileAccount } from '../../src/index.ts';
import { newDatabase } from '../support/postgres.ts';
import { app } from '../support/secondStep.ts';
import { ada, startTestService } from '../support/testService.ts';
import { environmentOf, vestibule } from '../support/vestibule.ts';

test('Accounts move with their unused recovery codes, which work as before, and only with a second step', async () => {
  const url = await newDatabase();
  await using service = await startTestService({ database: { url } });
  const { directory } = service;
  const { bearer } = await service.signedIn({ mfa: app });
  const authVerificationToken = await service.verified(bearer);
  const made = await service.post('/auth/v1/recovery-codes', { authVerificationToken }, { bearer });
  const codes = made.body['codes'] as readonly string[];
  const use = async (code = '') => {
    const challenge = { username: ada, method: 'basic', authVerificationToken: await service.challenge() };
    return (await service.post('/auth/v1/recovery-codes/use', { ...challenge, code })).status;
  };
  expect(await use(codes[0])).toBe(200);
  const exported = async (passwordHashes: boolean, sealedSecrets: boolean) => {
    for await (const one of directory.accounts.export({ passwordHashes, sealedSecrets })) return one;
    throw new Error('There is no account.');
  };
  expect(await exported(false, true)).not.toHaveProperty('recoveryCodes');
  const [withSecret, without] = [await exported(true, true), await exported(true, false)];
  expect(withSecret.recoveryCodes?.hashes).toHaveLength(9);
  const moved = async (line: FileAccount): Promise<string> => {
    await directory.accounts.remove(ada);
    const lines = JSON.stringify(line);
    return (await vestibule(environmentOf(url), ['accounts', 'import', '-'], lines)).stderr;
  };

  await moved(without);
  expect((await directory.accounts.exportPerson(ada)).recoveryCodes).toEqual([]);
  const { uid: _uid, ...unnamed } = withSecret;
  expect(await moved(unnamed)).toContain('recoveryCodes are those of an account with a uid');
  await moved(withSecret);
  expect(await use(codes[0])).toBe(401);
  expect(await use(codes[1])).toBe(200);
  expect((await exported(true, true)).recoveryCodes?.hashes).toHaveLength(8);
});
