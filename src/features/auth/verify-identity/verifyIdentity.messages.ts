import { texts } from '@shared/texts';

/** Texts of the verify-identity screen and of its warning. See docs/behaviour.md#verify-identity. */
export const verifyMessages = texts('auth/verify-identity', {
  greeting: (firstName: string): string => `Hi ${firstName}`,
  title: 'Verify your identity',
  text: "To continue, first verify it's you",
  email: 'Email',
  hidePassword: 'Hide Password',
  provider: {
    google: 'You are authenticated via Google. Click Next to reauthenticate and continue.',
    microsoft: 'You are authenticated via Microsoft. Click Next to reauthenticate and continue.',
    /** Shown while it is not known which provider the user signs in with. */
    unknown: 'You are authenticated via Google or Microsoft. Click Next to reauthenticate and continue.',
  },
  /** Shown if the user can choose between both providers. */
  chooseProvider:
    'You are authenticated via Google or Microsoft. Choose yours to reauthenticate and continue.',
  choice: { google: 'Continue with Google', microsoft: 'Continue with Microsoft' },
  next: 'Next',
  back: 'Settings',
  expiring: 'Your session will expire in 30 seconds. Please complete verification soon.',
  verifyAgain: 'Verify again',
});
