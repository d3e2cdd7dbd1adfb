/** Texts for the events of passkeys. */
export const eventMessages = {
  activity: {
    'passkey-added': /*i18n*/ { id: 'passkeys/events.activity.passkey-added', message: 'Passkey added' },
    'passkey-removed': /*i18n*/ {
      id: 'passkeys/events.activity.passkey-removed',
      message: 'Passkey removed',
    },
  },
  methods: { passkey: /*i18n*/ { id: 'passkeys/events.methods.passkey', message: 'with a passkey' } },
  notices: {
    'passkey-added': /*i18n*/ {
      id: 'passkeys/events.notices.passkey-added',
      message: 'A passkey was added to your account.',
    },
    'passkey-removed': /*i18n*/ {
      id: 'passkeys/events.notices.passkey-removed',
      message: 'A passkey was removed from your account.',
    },
  },
};
