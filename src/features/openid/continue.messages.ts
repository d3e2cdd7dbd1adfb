/** Texts of `/continue/{id}`. */
export const continueMessages = {
  title: (name: string) => /*i18n*/ ({ id: 'openid.title', message: 'Continue to {name}', values: { name } }),
  loading: /*i18n*/ { id: 'openid.loading', message: 'Loading…' },
  signedInAs: (username: string) => /*i18n*/ ({
    id: 'openid.signedInAs',
    message: 'Signed in as {username}.',
    values: { username },
  }),
  continueAs: (username: string) => /*i18n*/ ({
    id: 'openid.continueAs',
    message: 'Continue as {username}?',
    values: { username },
  }),
  willSee: (name: string) => /*i18n*/ ({
    id: 'openid.willSee',
    message: '{name} will see:',
    values: { name },
  }),
  sees: {
    name: /*i18n*/ { id: 'openid.sees.name', message: 'Your name' },
    email: /*i18n*/ { id: 'openid.sees.email', message: 'Your e-mail address' },
    applications: /*i18n*/ { id: 'openid.sees.applications', message: 'The applications you use' },
    offline: /*i18n*/ { id: 'openid.sees.offline', message: 'It stays connected while you are away' },
  },
  continue: /*i18n*/ { id: 'openid.continue', message: 'Continue' },
  cancel: /*i18n*/ { id: 'openid.cancel', message: 'Cancel' },
  otherAccount: /*i18n*/ { id: 'openid.otherAccount', message: 'Use Another Account' },
  again: (name: string) => /*i18n*/ ({
    id: 'openid.again',
    message: 'Sign in to {name} again.',
    values: { name },
  }),
  sent: (lastFour: string) => /*i18n*/ ({
    id: 'openid.sent',
    message:
      'We just sent a text message with your verification code to your phone number ending in {lastFour}.',
    values: { lastFour },
  }),
  app: /*i18n*/ { id: 'openid.app', message: 'Enter the 6-digit code from your app' },
  code: /*i18n*/ { id: 'openid.code', message: 'Verification code' },
  codeLength: /*i18n*/ { id: 'openid.codeLength', message: '6 digits' },
  verify: /*i18n*/ { id: 'openid.verify', message: 'Verify' },
  codeError: {
    id: 'openid-code-error',
    title: /*i18n*/ { id: 'openid.codeError.title', message: 'Verification Error' },
    confirmLabel: /*i18n*/ { id: 'openid.codeError.confirmLabel', message: 'Ok' },
  },
  unreached: /*i18n*/ {
    id: 'openid.unreached',
    message: 'We could not reach the service. Check your connection and try again.',
  },
  tryAgain: /*i18n*/ { id: 'openid.tryAgain', message: 'Try Again' },
};
