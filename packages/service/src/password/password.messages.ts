export const passwordTexts = {
  enterNames: /*i18n*/ { id: 'password.enterNames', message: 'Please enter your first and last name.' },
  onlyOwn: /*i18n*/ { id: 'password.onlyOwn', message: 'You may only change your own password.' },
  changed: {
    subject: /*i18n*/ { id: 'password.changed.subject', message: 'Your password was changed' },
    sentence: /*i18n*/ {
      id: 'password.changed.sentence',
      message: 'The password was changed for your account',
    },
  },
};
