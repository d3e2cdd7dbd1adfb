/** Texts of passkeys. See docs/behaviour.md#passkeys. */
export const passkeyMessages = {
  signIn: /*i18n*/ { id: 'passkeys.signIn', message: 'Sign in with a Passkey' },
  use: /*i18n*/ { id: 'passkeys.use', message: 'Use a Passkey' },
  error: {
    id: 'passkey-error',
    title: /*i18n*/ { id: 'passkeys.error.title', message: 'Passkey Error' },
    confirmLabel: /*i18n*/ { id: 'passkeys.error.confirmLabel', message: 'Ok' },
  },
  failed: {
    signIn: /*i18n*/ { id: 'passkeys.failed.signIn', message: 'Unable to sign in with a passkey' },
    add: /*i18n*/ { id: 'passkeys.failed.add', message: 'Unable to add a passkey' },
    verify: /*i18n*/ { id: 'passkeys.failed.verify', message: 'Unable to verify with a passkey' },
  },
  unknown: /*i18n*/ {
    id: 'passkeys.unknown',
    message: 'This passkey is no longer valid. Sign in another way.',
  },
  section: {
    title: /*i18n*/ { id: 'passkeys.section.title', message: 'Passkeys' },
    text: /*i18n*/ {
      id: 'passkeys.section.text',
      message: 'Sign in with your fingerprint, face or screen lock.',
    },
    add: /*i18n*/ { id: 'passkeys.section.add', message: 'Add a Passkey' },
    loading: /*i18n*/ { id: 'passkeys.section.loading', message: 'Loading your passkeys' },
    failed: /*i18n*/ { id: 'passkeys.section.failed', message: 'Your passkeys could not be loaded.' },
    empty: /*i18n*/ { id: 'passkeys.section.empty', message: 'You have no passkeys.' },
    tryAgain: /*i18n*/ { id: 'passkeys.section.tryAgain', message: 'Try Again' },
    added: /*i18n*/ { id: 'passkeys.section.added', message: 'Added' },
    lastUsed: /*i18n*/ { id: 'passkeys.section.lastUsed', message: 'Last used' },
    neverUsed: /*i18n*/ { id: 'passkeys.section.neverUsed', message: 'Never used' },
    rename: /*i18n*/ { id: 'passkeys.section.rename', message: 'Rename' },
    name: /*i18n*/ { id: 'passkeys.section.name', message: 'Name' },
    save: /*i18n*/ { id: 'passkeys.section.save', message: 'Save' },
    remove: /*i18n*/ { id: 'passkeys.section.remove', message: 'Remove' },
  },
  confirmRemoval: {
    id: 'remove-passkey',
    title: /*i18n*/ { id: 'passkeys.confirmRemoval.title', message: 'Remove Passkey' },
    message: /*i18n*/ {
      id: 'passkeys.confirmRemoval.message',
      message: 'You can no longer sign in with it.',
    },
    confirmLabel: /*i18n*/ { id: 'passkeys.confirmRemoval.confirmLabel', message: 'Remove Passkey' },
    cancelLabel: /*i18n*/ { id: 'passkeys.confirmRemoval.cancelLabel', message: 'Cancel' },
    tone: 'danger' as const,
  },
};
