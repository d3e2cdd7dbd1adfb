import { texts } from '@shared/texts';

/** Texts of the header and of the application as a whole. */
export const sessionMessages = texts('login/session', {
  back: 'Back',
  logout: 'Logout',
  fallback: 'An unexpected error occurred. Please try again later. We apologize for the inconvenience.',
  tryAgain: 'Try Again',
  signOut: 'Sign Out',
  signIn: 'Sign In',
  checking: 'Checking your session…',
  loading: 'Loading…',
  accountSettings: 'Account Settings',
  cookiesOff: 'Cookies are switched off in this browser. Switch them on to sign in.',
  untrustedParent: 'This page cannot be shown inside another site.',
});
