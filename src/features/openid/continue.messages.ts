import { texts } from '@shared/texts';

/** Texts of `/continue/{id}`. */
export const continueMessages = texts('openid', {
  title: (name: string): string => `Continue to ${name}`,
  loading: 'Loading…',
  signedInAs: (username: string): string => `Signed in as ${username}.`,
  willSee: (name: string): string => `${name} will see:`,
  sees: {
    name: 'Your name',
    email: 'Your e-mail address',
    applications: 'The applications you use',
    offline: 'It stays connected while you are away',
  },
  continue: 'Continue',
  cancel: 'Cancel',
  otherAccount: 'Use Another Account',
  unreached: 'We could not reach the service. Check your connection and try again.',
  tryAgain: 'Try Again',
});
