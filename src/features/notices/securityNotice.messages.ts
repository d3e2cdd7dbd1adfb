import { texts } from '@shared/texts';

/** Texts of `/security-notice/{hash}`. */
export const securityNoticeMessages = texts('notices', {
  title: 'Was this you?',
  kinds: {
    'signed-in': 'Someone signed in to your account.',
    'sign-in-failed': 'Someone tried to sign in to your account.',
    'password-changed': 'Your password was changed.',
    'mfa-changed': 'Your 2-step verification was changed.',
    locked: 'Your account was locked.',
    'session-ended': 'Someone signed your account out.',
    'new-device': 'Someone signed in to your account from a new device.',
    'phone-changed': 'The phone number of your 2-step verification was changed.',
    'token-reused': 'A copy of one of your sessions was used.',
    'second-step-missed': 'Someone passed the first step of a sign-in to your account, but not the second.',
    other: 'Something changed in your account.',
  },
  yes: 'Yes, It Was Me',
  no: 'No, Secure My Account',
  confirmed: 'Thank you. Nothing has changed.',
  secured: 'Your account is secured.',
  signIn: 'Sign In',
  unreached: 'We could not reach the service. Check your connection and try again.',
  tryAgain: 'Try Again',
});
