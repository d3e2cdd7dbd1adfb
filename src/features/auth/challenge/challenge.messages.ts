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
  noCode: "Didn't get the code?",
  resend: 'Resend',
  resent: 'A new six digit code has been sent to your phone',
  wrongCode: {
    id: 'wrong-code',
    title: 'Incorrect Security or Verification Code',
    message: 'Incorrect code. Please enter verification code again.',
    confirmLabel: 'Ok',
  },
});
