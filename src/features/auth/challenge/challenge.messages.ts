import { texts } from '@shared/texts';

/** Texts of `/two-auth`. See docs/behaviour.md#challenge. */
export const challengeMessages = texts('auth/challenge', {
  title: 'Enter MFA Code',
  text: 'Please enter an MFA code to complete sign-in.',
  code: 'MFA code',
  codeLength: '6 digits',
  trustDevice: 'Trust this device',
  submit: 'Submit',
  backToLogin: 'Back to Login',
});
