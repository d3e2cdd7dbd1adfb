import { texts } from '@shared/texts';

/** Texts of passkeys. See docs/behaviour.md#passkeys. */
export const passkeyMessages = texts('passkeys', {
  signIn: 'Sign in with a Passkey',
  use: 'Use a Passkey',
  error: { id: 'passkey-error', title: 'Passkey Error', confirmLabel: 'Ok' },
  failed: {
    signIn: 'Unable to sign in with a passkey',
    add: 'Unable to add a passkey',
    verify: 'Unable to verify with a passkey',
  },
  unknown: 'This passkey is no longer valid. Sign in another way.',
  section: {
    title: 'Passkeys',
    text: 'Sign in with your fingerprint, face or screen lock.',
    add: 'Add a Passkey',
    loading: 'Loading your passkeys',
    failed: 'Your passkeys could not be loaded.',
    empty: 'You have no passkeys.',
    tryAgain: 'Try Again',
    added: 'Added',
    lastUsed: 'Last used',
    neverUsed: 'Never used',
    rename: 'Rename',
    name: 'Name',
    save: 'Save',
    remove: 'Remove',
  },
  confirmRemoval: {
    id: 'remove-passkey',
    title: 'Remove Passkey',
    message: 'You can no longer sign in with it.',
    confirmLabel: 'Remove Passkey',
    cancelLabel: 'Cancel',
    tone: 'danger' as const,
  },
});
