import { runConformance } from '@vestibule/contract/conformance';
import { credentials, failedRules, serveForConformance } from '../support/conformance.ts';

const { serveBut } = serveForConformance();

it('the conformance suite detects a service that does not refuse recovery codes', async () => {
  const baseUrl = await serveBut(({ url = '' }) =>
    url.includes('recovery-codes') ? [200, '{}'] : undefined,
  );
  const results = await runConformance({ baseUrl, account: credentials, extensions: ['recovery-codes'] });
  expect(failedRules(results)).toEqual(
    expect.arrayContaining([
      'getRecoveryCodes: an account without two-step verification has no codes',
      'makeRecoveryCodes: a verification that was made up is refused with 401',
      'useRecoveryCode: a challenge that was made up is refused with 401',
    ]),
  );
});
