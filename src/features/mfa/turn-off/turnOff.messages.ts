import { texts } from '@shared/texts';

/** The question before two-step verification is turned off. */
export const turnOffMessages = texts('mfa/turn-off', {
  dialog: {
    id: 'turn-off-mfa',
    title: 'Turn Off 2-Step',
    message: 'Your account will no longer ask for a second step at sign-in.',
    confirmLabel: 'Turn Off 2-Step',
    cancelLabel: 'Cancel',
    tone: 'danger' as const,
  },
});
