import { texts } from '@shared/texts';

/** Texts of `/security-notice/{hash}`. */
export const securityNoticeMessages = texts('notices', {
  title: 'Was this you?',
  kinds: {
    'signed-in': 'Someone signed in to your account.',
    'sign-in-failed': 'Someone tried to sign in to your account.',
    'password-changed': 'Your password was changed.',
    'mfa-changed': 'Your 2-step verification was changed.',
    'passkey-added': 'A passkey was added to your account.',
    'passkey-removed': 'A passkey was removed from your account.',
    'recovery-code-used': 'A recovery code was used to sign in to your account.',
    locked: 'Your account was locked.',
    'session-ended': 'Someone signed your account out.',
    'new-device': 'Someone signed in to your account from a new device.',
    'phone-changed': 'The phone number of your 2-step verification was changed.',
    'recovery-codes-made': 'New recovery codes were made for your account.',
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
