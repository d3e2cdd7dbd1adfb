/** The question before two-step verification is turned off. */
export const turnOffMessages = {
  dialog: {
    id: 'turn-off-mfa',
    title: /*i18n*/ { id: 'mfa/turn-off.dialog.title', message: 'Turn Off 2-Step' },
    message: /*i18n*/ {
      id: 'mfa/turn-off.dialog.message',
      message: 'Your account will no longer ask for a second step at sign-in.',
    },
    confirmLabel: /*i18n*/ { id: 'mfa/turn-off.dialog.confirmLabel', message: 'Turn Off 2-Step' },
    cancelLabel: /*i18n*/ { id: 'mfa/turn-off.dialog.cancelLabel', message: 'Cancel' },
    tone: 'danger' as const,
  },
};
