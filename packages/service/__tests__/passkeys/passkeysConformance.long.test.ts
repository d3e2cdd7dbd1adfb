import { runConformance } from '@vestibule/contract/conformance';
import { credentials, failedRules, serveForConformance } from '../support/conformance.ts';

const { service, serveBut } = serveForConformance();

it('the conformance suite detects a service that repeats the challenge of its passkeys', async () => {
  const fixed = (await service.post('/auth/v1/passkeys/sign-in/options', {})).text;
  const baseUrl = await serveBut(({ url, method }) =>
    url === '/auth/v1/passkeys/sign-in/options' && method === 'POST' ? [200, fixed] : undefined,
  );
  const results = await runConformance({ baseUrl, account: credentials, extensions: ['passkeys'] });
  expect(failedRules(results)).toContain(
    'startPasskeySignIn: known and unknown usernames get options of one kind, an unknown one the same credentials each time',
  );
});
