export const sessionTexts = {
  tokenReused: {
    subject: /*i18n*/ { id: 'session.tokenReused.subject', message: 'You were signed out' },
    sentence: /*i18n*/ {
      id: 'session.tokenReused.sentence',
      message: 'A copy of a session was used. It was ended in your account',
    },
  },
};
