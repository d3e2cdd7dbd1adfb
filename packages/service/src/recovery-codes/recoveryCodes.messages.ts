export const recoveryTexts = {
  needTwoStep: /*i18n*/ {
    id: 'recovery-codes.needTwoStep',
    message: 'Recovery codes need two-step verification to be on.',
  },
  made: {
    subject: /*i18n*/ { id: 'recovery-codes.made.subject', message: 'New recovery codes' },
    sentence: /*i18n*/ {
      id: 'recovery-codes.made.sentence',
      message: 'New recovery codes were made for your account',
    },
  },
  used: {
    subject: /*i18n*/ { id: 'recovery-codes.used.subject', message: 'A recovery code was used' },
    sentence: /*i18n*/ {
      id: 'recovery-codes.used.sentence',
      message: 'A recovery code was used to sign in to your account',
    },
  },
};
