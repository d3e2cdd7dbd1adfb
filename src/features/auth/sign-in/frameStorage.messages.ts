import { texts } from '@shared/texts';

/** Texts of `/login` in a frame of another site. See docs/behaviour.md#embedding. */
export const frameStorageMessages = texts('auth/frame-storage', {
  ask: {
    title: 'Continue with your sign-in',
    text: 'Your browser keeps this page apart from the site around it. Continue, and allow it if your browser asks.',
  },
  visit: {
    title: 'Open the sign-in page first',
    text: 'Your browser has not allowed it yet. Open the sign-in page in its own window and sign in, then come back here.',
  },
  back: {
    title: 'Have you signed in?',
    text: 'Sign in in the other window. Then continue here, and allow it if your browser asks.',
  },
  refused: {
    title: 'Continue in a window of its own',
    denied: (host: string) =>
      `Your browser does not let this page use your sign-in inside another site. Allow cookies of ${host} in its settings, then try again.`,
    forbidden:
      'The site around this page does not let it use your sign-in. You can sign in on the sign-in page itself.',
    noCookies: (host: string) =>
      `Your browser stores no cookies of this page, so a sign-in cannot be kept here. Allow cookies of ${host} in its settings, then try again.`,
    unsupported:
      'Your browser keeps this page apart from the site around it, so a sign-in cannot be kept here.',
  },
  proceed: 'Continue',
  open: 'Open the Sign-In Page',
  again: 'Try Again',
});
