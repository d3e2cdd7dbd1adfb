export const passkeyTexts = {
  challengeExpired: /*i18n*/ {
    id: 'passkeys.challengeExpired',
    message: 'This took too long. Please try again.',
  },
  refused: /*i18n*/ { id: 'passkeys.refused', message: 'This passkey was not accepted.' },
  unknown: /*i18n*/ { id: 'passkeys.unknown', message: 'This passkey is no longer valid.' },
  added: {
    subject: /*i18n*/ { id: 'passkeys.added.subject', message: 'A passkey was added' },
    sentence: /*i18n*/ { id: 'passkeys.added.sentence', message: 'A passkey was added to your account' },
  },
  removed: {
    subject: /*i18n*/ { id: 'passkeys.removed.subject', message: 'A passkey was removed' },
    sentence: /*i18n*/ {
      id: 'passkeys.removed.sentence',
      message: 'A passkey was removed from your account',
    },
  },
};
