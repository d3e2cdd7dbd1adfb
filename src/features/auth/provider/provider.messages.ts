import { texts } from '@shared/texts';

/** The texts about provider windows, which the first bundle does not need. See docs/behaviour.md#provider-window. */
export const providerMessages = texts('auth/provider', {
  /** The texts next to the form. `button` is the label of the button that opens the window. */
  panel: {
    blocked: (button: string): string => `Your browser blocked the window. Press ‘${button}’ to continue.`,
    blockedAgain: (button: string): string =>
      `Your browser blocked the window again. Allow pop-ups for this site in your browser, then press ‘${button}’.`,
    waiting: { google: 'Continue in the Google window.', microsoft: 'Continue in the Microsoft window.' },
    maybeClosed: 'Finish in the other window, or try again.',
    cancel: 'Cancel',
    openAgain: 'Open again',
  },
  /** `/oauth-redirect` */
  oauthReturn: {
    title: 'Signing you in',
    passing: 'Signing you in',
    overTitle: 'Nothing more to do here',
    over: 'You can close this window.',
    close: 'Close Window',
    signIn: 'Sign In',
  },
  errors: {
    failed: { google: 'Unable to log in with Google', microsoft: 'Unable to log in with Microsoft' },
    noCode: 'No authorization code received',
    microsoftMisconfigured: (providerSupport: string): string =>
      `Microsoft Active Directory not properly configured, please contact ${providerSupport}`,
    microsoftIncomplete: 'Microsoft configuration incomplete',
  },
});
