/** Texts of `/two-auth`. See docs/behaviour.md#challenge. */
export const challengeMessages = {
  title: /*i18n*/ { id: 'auth/challenge.title', message: 'Enter MFA Code' },
  text: /*i18n*/ { id: 'auth/challenge.text', message: 'Please enter an MFA code to complete sign-in.' },
  code: /*i18n*/ { id: 'auth/challenge.code', message: 'MFA code' },
  codeLength: /*i18n*/ { id: 'auth/challenge.codeLength', message: '6 digits' },
  trustDevice: /*i18n*/ { id: 'auth/challenge.trustDevice', message: 'Trust this device' },
  submit: /*i18n*/ { id: 'auth/challenge.submit', message: 'Submit' },
  backToLogin: /*i18n*/ { id: 'auth/challenge.backToLogin', message: 'Back to Login' },
};
