/** The texts about provider windows, which the first bundle does not need. See docs/behaviour.md#provider-window. */
export const providerMessages = {
  /** The texts next to the form. `button` is the label of the button that opens the window. */
  panel: {
    blocked: (button: string) => /*i18n*/ ({
      id: 'auth/provider.panel.blocked',
      message: 'Your browser blocked the window. Press ‘{button}’ to continue.',
      values: { button },
    }),
    blockedAgain: (button: string) => /*i18n*/ ({
      id: 'auth/provider.panel.blockedAgain',
      message:
        'Your browser blocked the window again. Allow pop-ups for this site in your browser, then press ‘{button}’.',
      values: { button },
    }),
    waiting: {
      google: /*i18n*/ {
        id: 'auth/provider.panel.waiting.google',
        message: 'Continue in the Google window.',
      },
      microsoft: /*i18n*/ {
        id: 'auth/provider.panel.waiting.microsoft',
        message: 'Continue in the Microsoft window.',
      },
    },
    maybeClosed: /*i18n*/ {
      id: 'auth/provider.panel.maybeClosed',
      message: 'Finish in the other window, or try again.',
    },
    cancel: /*i18n*/ { id: 'auth/provider.panel.cancel', message: 'Cancel' },
    openAgain: /*i18n*/ { id: 'auth/provider.panel.openAgain', message: 'Open again' },
  },
  /** `/oauth-redirect` */
  oauthReturn: {
    title: /*i18n*/ { id: 'auth/provider.oauthReturn.title', message: 'Signing you in' },
    passing: /*i18n*/ { id: 'auth/provider.oauthReturn.passing', message: 'Signing you in' },
    overTitle: /*i18n*/ { id: 'auth/provider.oauthReturn.overTitle', message: 'Nothing more to do here' },
    over: /*i18n*/ { id: 'auth/provider.oauthReturn.over', message: 'You can close this window.' },
    close: /*i18n*/ { id: 'auth/provider.oauthReturn.close', message: 'Close Window' },
    signIn: /*i18n*/ { id: 'auth/provider.oauthReturn.signIn', message: 'Sign In' },
  },
  errors: {
    failed: {
      google: /*i18n*/ { id: 'auth/provider.errors.failed.google', message: 'Unable to log in with Google' },
      microsoft: /*i18n*/ {
        id: 'auth/provider.errors.failed.microsoft',
        message: 'Unable to log in with Microsoft',
      },
    },
    noCode: /*i18n*/ { id: 'auth/provider.errors.noCode', message: 'No authorization code received' },
    microsoftMisconfigured: (providerSupport: string) => /*i18n*/ ({
      id: 'auth/provider.errors.microsoftMisconfigured',
      message: 'Microsoft Active Directory not properly configured, please contact {providerSupport}',
      values: { providerSupport },
    }),
    microsoftIncomplete: /*i18n*/ {
      id: 'auth/provider.errors.microsoftIncomplete',
      message: 'Microsoft configuration incomplete',
    },
  },
};
