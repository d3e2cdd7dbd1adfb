import { texts } from '@shared/texts';

/** Texts of the connected applications. */
export const applicationsMessages = texts('openid/applications', {
  title: 'Connected applications',
  loading: 'Loading your connected applications',
  failed: 'Your connected applications could not be loaded.',
  tryAgain: 'Try Again',
  empty: 'No applications are connected.',
  connected: 'Connected since',
  sees: 'It sees:',
  disconnect: 'Disconnect',
  disconnected: (name: string): string => `${name} is disconnected.`,
  confirm: {
    id: 'disconnect-application',
    title: (name: string): string => `Disconnect ${name}`,
    message: 'It loses access to your account until you sign in there again.',
    confirmLabel: 'Disconnect',
    cancelLabel: 'Cancel',
    tone: 'danger' as const,
  },
  error: { id: 'applications-error', title: 'Connected applications', confirmLabel: 'Ok' },
});
