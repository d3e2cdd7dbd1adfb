import { texts } from '@shared/texts';

/**
 * The texts for a refused sign-in or proof of identity, which the first bundle does not need. See docs/behaviour.md#errors.
 */
export const refusalMessages = texts('auth/refusals', {
  basicDefault:
    'We were unable to match the User ID and password you entered. Please check your entries and try again.',
  providerDefault: 'Your account has no access',
  challengeBroken: 'Authentication error. Please try again.',
  identity: { id: 'identity-refused', title: 'Verification Error', confirmLabel: 'Ok' },
  verifyDefault: 'We were unable to verify your identity. Please try again.',
  /** See docs/behaviour.md#blocked-cookies. */
  cookieBlocked: (domain: string): string =>
    `A cookie in your browser prevents this sign-in. Delete the cookies of ${domain} in your browser, then sign in again.`,
});
