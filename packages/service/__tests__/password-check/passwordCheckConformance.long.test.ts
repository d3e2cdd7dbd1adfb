import { runConformance } from '@vestibule/contract/conformance';
import { credentials, failedRules, serveForConformance } from '../support/conformance.ts';

const { serveBut } = serveForConformance();

it('the conformance suite detects a service that accepts breached and guessable passwords', async () => {
  const baseUrl = await serveBut(({ url = '' }) =>
    /password-reset$|activate$/.test(url) ? [200, '{}'] : undefined,
  );
  const results = await runConformance({ baseUrl, account: credentials, extensions: ['password-check'] });
  expect(failedRules(results)).toEqual(
    expect.arrayContaining([
      'resetPassword: a common password is refused with password_breached',
      'activateAccount: a common password is refused with password_breached',
      'activateAccount: a password of the entered name is refused with password_guessable',
    ]),
  );
});
