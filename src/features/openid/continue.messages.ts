import { texts } from '@shared/texts';

/** Texts of `/continue/{id}`. */
export const continueMessages = texts('openid', {
  title: (name: string): string => `Continue to ${name}`,
  loading: 'Loading…',
  signedInAs: (username: string): string => `Signed in as ${username}.`,
  continueAs: (username: string): string => `Continue as ${username}?`,
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
  again: (name: string): string => `Sign in to ${name} again.`,
  sent: (lastFour: string): string =>
    `We just sent a text message with your verification code to your phone number ending in ${lastFour}.`,
  app: 'Enter the 6-digit code from your app',
  code: 'Verification code',
  codeLength: '6 digits',
  verify: 'Verify',
  codeError: { id: 'openid-code-error', title: 'Verification Error', confirmLabel: 'Ok' },
  unreached: 'We could not reach the service. Check your connection and try again.',
  tryAgain: 'Try Again',
});
