/** Texts for the events of recovery codes. */
export const eventMessages = {
  activity: {
    'recovery-code-used': /*i18n*/ {
      id: 'recovery-codes/events.activity.recovery-code-used',
      message: 'Recovery code used',
    },
  },
  notices: {
    'recovery-code-used': /*i18n*/ {
      id: 'recovery-codes/events.notices.recovery-code-used',
      message: 'A recovery code was used to sign in to your account.',
    },
    'recovery-codes-made': /*i18n*/ {
      id: 'recovery-codes/events.notices.recovery-codes-made',
      message: 'New recovery codes were made for your account.',
    },
  },
};
