/**
 * The texts for a refused sign-in or proof of identity, which the first bundle does not need. See docs/behaviour.md#errors.
 */
export const refusalMessages = {
  basicDefault: /*i18n*/ {
    id: 'auth/refusals.basicDefault',
    message:
      'We were unable to match the User ID and password you entered. Please check your entries and try again.',
  },
  providerDefault: /*i18n*/ { id: 'auth/refusals.providerDefault', message: 'Your account has no access' },
  challengeBroken: /*i18n*/ {
    id: 'auth/refusals.challengeBroken',
    message: 'Authentication error. Please try again.',
  },
  identity: {
    id: 'identity-refused',
    title: /*i18n*/ { id: 'auth/refusals.identity.title', message: 'Verification Error' },
    confirmLabel: /*i18n*/ { id: 'auth/refusals.identity.confirmLabel', message: 'Ok' },
  },
  verifyDefault: /*i18n*/ {
    id: 'auth/refusals.verifyDefault',
    message: 'We were unable to verify your identity. Please try again.',
  },
  /** See docs/behaviour.md#blocked-cookies. */
  cookieBlocked: (domain: string) => /*i18n*/ ({
    id: 'auth/refusals.cookieBlocked',
    message:
      'A cookie in your browser prevents this sign-in. Delete the cookies of {domain} in your browser, then sign in again.',
    values: { domain },
  }),
};
