import { newDatabase } from '../support/postgres.ts';
import { ada, startTestService } from '../support/testService.ts';
import { environmentOf, vestibule } from '../support/vestibule.ts';

test('Commands list the passkeys of an account, and remove none that it does not have', async () => {
  const url = await newDatabase();
  await using service = await startTestService({ database: { url } });
  await service.write();
  const accounts = (...args: readonly string[]) => vestibule(environmentOf(url), ['accounts', ...args]);
  expect(await accounts('passkeys', ada)).toMatchObject({ status: 0, stdout: '' });
  const refused = await accounts('remove-passkey', ada, '--', '-x');
  expect([refused.status, refused.stderr.trim()]).toEqual([1, 'The account has no passkey with this id.']);
});
