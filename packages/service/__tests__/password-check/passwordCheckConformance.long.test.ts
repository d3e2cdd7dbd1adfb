import { serveForConformance } from '../support/conformance.ts';

const { brokenWith } = serveForConformance();

it('the conformance suite detects a service that accepts breached and guessable passwords', async () => {
  const broken = await brokenWith(
    ({ url = '' }) => (/password-reset$|activate$/.test(url) ? {} : undefined),
    'password-check',
  );
  expect(broken).toEqual(
    expect.arrayContaining([
      'resetPassword: a common password is refused with password_breached',
      'activateAccount: a common password is refused with password_breached',
      'activateAccount: a password of the entered name is refused with password_guessable',
    ]),
  );
});
