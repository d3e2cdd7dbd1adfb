/** Texts of the verify-identity screen and of its warning. See docs/behaviour.md#verify-identity. */
export const verifyMessages = {
  greeting: (firstName: string) => /*i18n*/ ({
    id: 'auth/verify-identity.greeting',
    message: 'Hi {firstName}',
    values: { firstName },
  }),
  title: /*i18n*/ { id: 'auth/verify-identity.title', message: 'Verify your identity' },
  text: /*i18n*/ { id: 'auth/verify-identity.text', message: "To continue, first verify it's you" },
  email: /*i18n*/ { id: 'auth/verify-identity.email', message: 'Email' },
  hidePassword: /*i18n*/ { id: 'auth/verify-identity.hidePassword', message: 'Hide Password' },
  provider: {
    google: /*i18n*/ {
      id: 'auth/verify-identity.provider.google',
      message: 'You are authenticated via Google. Click Next to reauthenticate and continue.',
    },
    microsoft: /*i18n*/ {
      id: 'auth/verify-identity.provider.microsoft',
      message: 'You are authenticated via Microsoft. Click Next to reauthenticate and continue.',
    },
    unknown: /*i18n*/ {
      id: 'auth/verify-identity.provider.unknown',
      message: 'You are authenticated via Google or Microsoft. Click Next to reauthenticate and continue.',
      comment: 'Shown while it is not known which provider the user signs in with.',
    },
  },
  chooseProvider: /*i18n*/ {
    id: 'auth/verify-identity.chooseProvider',
    message: 'You are authenticated via Google or Microsoft. Choose yours to reauthenticate and continue.',
    comment: 'Shown if the user can choose between both providers.',
  },
  choice: {
    google: /*i18n*/ { id: 'auth/verify-identity.choice.google', message: 'Continue with Google' },
    microsoft: /*i18n*/ { id: 'auth/verify-identity.choice.microsoft', message: 'Continue with Microsoft' },
  },
  next: /*i18n*/ { id: 'auth/verify-identity.next', message: 'Next' },
  back: /*i18n*/ { id: 'auth/verify-identity.back', message: 'Settings' },
  expiring: /*i18n*/ {
    id: 'auth/verify-identity.expiring',
    message: 'Your session will expire in 30 seconds. Please complete verification soon.',
  },
  verifyAgain: /*i18n*/ { id: 'auth/verify-identity.verifyAgain', message: 'Verify again' },
};
