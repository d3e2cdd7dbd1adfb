/** Texts of the header and of the application as a whole. */
export const sessionMessages = {
  back: /*i18n*/ { id: 'login/session.back', message: 'Back' },
  logout: /*i18n*/ { id: 'login/session.logout', message: 'Logout' },
  fallback: /*i18n*/ {
    id: 'login/session.fallback',
    message: 'An unexpected error occurred. Please try again later. We apologize for the inconvenience.',
  },
  tryAgain: /*i18n*/ { id: 'login/session.tryAgain', message: 'Try Again' },
  signOut: /*i18n*/ { id: 'login/session.signOut', message: 'Sign Out' },
  signIn: /*i18n*/ { id: 'login/session.signIn', message: 'Sign In' },
  checking: /*i18n*/ { id: 'login/session.checking', message: 'Checking your session…' },
  loading: /*i18n*/ { id: 'login/session.loading', message: 'Loading…' },
  accountSettings: /*i18n*/ { id: 'login/session.accountSettings', message: 'Account Settings' },
  cookiesOff: /*i18n*/ {
    id: 'login/session.cookiesOff',
    message: 'Cookies are switched off in this browser. Switch them on to sign in.',
  },
  untrustedParent: /*i18n*/ {
    id: 'login/session.untrustedParent',
    message: 'This page cannot be shown inside another site.',
  },
};
