/** Texts of `/login` in a frame of another site. See docs/behaviour.md#embedding. */
export const frameStorageMessages = {
  ask: {
    title: /*i18n*/ { id: 'auth/frame-storage.ask.title', message: 'Continue with your sign-in' },
    text: /*i18n*/ {
      id: 'auth/frame-storage.ask.text',
      message:
        'Your browser keeps this page apart from the site around it. Continue, and allow it if your browser asks.',
    },
  },
  visit: {
    title: /*i18n*/ { id: 'auth/frame-storage.visit.title', message: 'Open the sign-in page first' },
    text: /*i18n*/ {
      id: 'auth/frame-storage.visit.text',
      message:
        'Your browser has not allowed it yet. Open the sign-in page in its own window and sign in, then come back here.',
    },
  },
  back: {
    title: /*i18n*/ { id: 'auth/frame-storage.back.title', message: 'Have you signed in?' },
    text: /*i18n*/ {
      id: 'auth/frame-storage.back.text',
      message: 'Sign in in the other window. Then continue here, and allow it if your browser asks.',
    },
  },
  refused: {
    title: /*i18n*/ { id: 'auth/frame-storage.refused.title', message: 'Continue in a window of its own' },
    denied: (host: string) => /*i18n*/ ({
      id: 'auth/frame-storage.refused.denied',
      message:
        'Your browser does not let this page use your sign-in inside another site. Allow cookies of {host} in its settings, then try again.',
      values: { host },
    }),
    forbidden: /*i18n*/ {
      id: 'auth/frame-storage.refused.forbidden',
      message:
        'The site around this page does not let it use your sign-in. You can sign in on the sign-in page itself.',
    },
    noCookies: (host: string) => /*i18n*/ ({
      id: 'auth/frame-storage.refused.noCookies',
      message:
        'Your browser stores no cookies of this page, so a sign-in cannot be kept here. Allow cookies of {host} in its settings, then try again.',
      values: { host },
    }),
    unsupported: /*i18n*/ {
      id: 'auth/frame-storage.refused.unsupported',
      message:
        'Your browser keeps this page apart from the site around it, so a sign-in cannot be kept here.',
    },
  },
  proceed: /*i18n*/ { id: 'auth/frame-storage.proceed', message: 'Continue' },
  open: /*i18n*/ { id: 'auth/frame-storage.open', message: 'Open the Sign-In Page' },
  again: /*i18n*/ { id: 'auth/frame-storage.again', message: 'Try Again' },
};
