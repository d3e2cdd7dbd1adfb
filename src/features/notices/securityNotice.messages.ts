/** Texts of `/security-notice/{hash}`. */
export const securityNoticeMessages = {
  title: /*i18n*/ { id: 'notices.title', message: 'Was this you?' },
  kinds: {
    'signed-in': /*i18n*/ { id: 'notices.kinds.signed-in', message: 'Someone signed in to your account.' },
    'sign-in-failed': /*i18n*/ {
      id: 'notices.kinds.sign-in-failed',
      message: 'Someone tried to sign in to your account.',
    },
    'password-changed': /*i18n*/ {
      id: 'notices.kinds.password-changed',
      message: 'Your password was changed.',
    },
    'mfa-changed': /*i18n*/ {
      id: 'notices.kinds.mfa-changed',
      message: 'Your 2-step verification was changed.',
    },
    locked: /*i18n*/ { id: 'notices.kinds.locked', message: 'Your account was locked.' },
    'session-ended': /*i18n*/ {
      id: 'notices.kinds.session-ended',
      message: 'Someone signed your account out.',
    },
    'new-device': /*i18n*/ {
      id: 'notices.kinds.new-device',
      message: 'Someone signed in to your account from a new device.',
    },
    'phone-changed': /*i18n*/ {
      id: 'notices.kinds.phone-changed',
      message: 'The phone number of your 2-step verification was changed.',
    },
    'token-reused': /*i18n*/ {
      id: 'notices.kinds.token-reused',
      message: 'A copy of one of your sessions was used.',
    },
    'second-step-missed': /*i18n*/ {
      id: 'notices.kinds.second-step-missed',
      message: 'Someone passed the first step of a sign-in to your account, but not the second.',
    },
    other: /*i18n*/ { id: 'notices.kinds.other', message: 'Something changed in your account.' },
  },
  yes: /*i18n*/ { id: 'notices.yes', message: 'Yes, It Was Me' },
  no: /*i18n*/ { id: 'notices.no', message: 'No, Secure My Account' },
  confirmed: /*i18n*/ { id: 'notices.confirmed', message: 'Thank you. Nothing has changed.' },
  secured: /*i18n*/ { id: 'notices.secured', message: 'Your account is secured.' },
  signIn: /*i18n*/ { id: 'notices.signIn', message: 'Sign In' },
  unreached: /*i18n*/ {
    id: 'notices.unreached',
    message: 'We could not reach the service. Check your connection and try again.',
  },
  tryAgain: /*i18n*/ { id: 'notices.tryAgain', message: 'Try Again' },
};
