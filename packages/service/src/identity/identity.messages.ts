export const identityTexts = {
  locked: {
    subject: /*i18n*/ { id: 'identity.locked.subject', message: 'Your account was locked' },
    sentence: /*i18n*/ {
      id: 'identity.locked.sentence',
      message: 'Sign-in with the password was locked for your account',
    },
  },
};
