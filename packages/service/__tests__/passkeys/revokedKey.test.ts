import { newDatabase } from '../support/postgres.ts';
import { loginOrigin, startTestService } from '../support/testService.ts';

test('A revoked signing key ends the challenges that it has signed, in every process', async () => {
  const database = { url: await newDatabase() };
  const passkeys = { rpId: 'login.payments.localhost', origins: [loginOrigin], parentOrigins: [] };
  await using one = await startTestService({ database, passkeys });
  await using other = await startTestService({ database, passkeys });
  const [key] = await one.directory.keys.list();
  const { challengeToken } = (await other.post('/auth/v1/passkeys/sign-in/options', {})).body;
  const response = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' };
  const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response };
  await one.directory.keys.revoke(key?.kid ?? '');
  const used = await other.post('/auth/v1/passkeys/sign-in', { challengeToken, credential });
  expect(used.body).toMatchObject({ error: { code: 'challenge_expired' } });
});
