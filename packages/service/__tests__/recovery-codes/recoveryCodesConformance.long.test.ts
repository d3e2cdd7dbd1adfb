import { serveForConformance } from '../support/conformance.ts';

const { brokenWith } = serveForConformance();

it('the conformance suite detects a service that does not refuse recovery codes', async () => {
  const broken = await brokenWith(
    ({ url = '' }) => (url.includes('recovery-codes') ? {} : undefined),
    'recovery-codes',
  );
  expect(broken).toEqual(
    expect.arrayContaining([
      'getRecoveryCodes: an account without two-step verification has no codes',
      'makeRecoveryCodes: a verification that was made up is refused with 401',
      'useRecoveryCode: a challenge that was made up is refused with 401',
    ]),
  );
});
