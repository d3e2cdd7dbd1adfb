/** Texts of the connected applications. */
export const applicationsMessages = {
  title: /*i18n*/ { id: 'openid/applications.title', message: 'Connected applications' },
  loading: /*i18n*/ { id: 'openid/applications.loading', message: 'Loading your connected applications' },
  failed: /*i18n*/ {
    id: 'openid/applications.failed',
    message: 'Your connected applications could not be loaded.',
  },
  tryAgain: /*i18n*/ { id: 'openid/applications.tryAgain', message: 'Try Again' },
  empty: /*i18n*/ { id: 'openid/applications.empty', message: 'No applications are connected.' },
  connected: /*i18n*/ { id: 'openid/applications.connected', message: 'Connected since' },
  sees: /*i18n*/ { id: 'openid/applications.sees', message: 'It sees:' },
  disconnect: /*i18n*/ { id: 'openid/applications.disconnect', message: 'Disconnect' },
  disconnected: (name: string) => /*i18n*/ ({
    id: 'openid/applications.disconnected',
    message: '{name} is disconnected.',
    values: { name },
  }),
  confirm: {
    id: 'disconnect-application',
    title: (name: string) => /*i18n*/ ({
      id: 'openid/applications.confirm.title',
      message: 'Disconnect {name}',
      values: { name },
    }),
    message: /*i18n*/ {
      id: 'openid/applications.confirm.message',
      message: 'It loses access to your account until you sign in there again.',
    },
    confirmLabel: /*i18n*/ { id: 'openid/applications.confirm.confirmLabel', message: 'Disconnect' },
    cancelLabel: /*i18n*/ { id: 'openid/applications.confirm.cancelLabel', message: 'Cancel' },
    tone: 'danger' as const,
  },
  error: {
    id: 'applications-error',
    title: /*i18n*/ { id: 'openid/applications.error.title', message: 'Connected applications' },
    confirmLabel: /*i18n*/ { id: 'openid/applications.error.confirmLabel', message: 'Ok' },
  },
};
