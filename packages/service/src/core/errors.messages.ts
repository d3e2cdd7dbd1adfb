import type { Value } from '../platform/texts/texts.ts';

/** The messages of refusals: `error.message` of the contract. */
export const errorTexts = {
  credentialsRefused: /*i18n*/ {
    id: 'errors.credentialsRefused',
    message:
      'We were unable to match the User ID and password you entered. Please check your entries and try again.',
  },
  noAccess: /*i18n*/ { id: 'errors.noAccess', message: 'Your account has no access' },
  newPasswordRequired: /*i18n*/ {
    id: 'errors.newPasswordRequired',
    message: 'Please set a new password. We have sent you an e-mail with a link.',
  },
  providerUnavailable: /*i18n*/ {
    id: 'errors.providerUnavailable',
    message: 'The sign-in provider could not be reached. Please try again.',
  },
  providerTimedOut: /*i18n*/ {
    id: 'errors.providerTimedOut',
    message: 'The sign-in provider did not answer in time. Please try again.',
  },
  providerNotSetUp: /*i18n*/ {
    id: 'errors.providerNotSetUp',
    message: 'Signing in with this provider is not set up.',
  },
  lockedOut: (wait: Value) => /*i18n*/ ({
    id: 'errors.lockedOut',
    message: 'Too many failed login attempts. Please try again in {wait}.',
    comment: 'wait: the text errors.minutes or errors.hours.',
    values: { wait },
  }),
  minutes: (count: number) => /*i18n*/ ({
    id: 'errors.minutes',
    message: '{count, plural, one {# minute} other {# minutes}}',
    values: { count },
  }),
  hours: (count: number) => /*i18n*/ ({
    id: 'errors.hours',
    message: '{count, plural, one {# hour} other {# hours}}',
    values: { count },
  }),
  identityRefused: /*i18n*/ {
    id: 'errors.identityRefused',
    message: 'We were unable to verify your identity. Please try again.',
  },
  codeRefused: /*i18n*/ { id: 'errors.codeRefused', message: 'Incorrect Security or Verification Code' },
  challengeOver: /*i18n*/ {
    id: 'errors.challengeOver',
    message: 'The time to enter the code is over. Please sign in again.',
  },
  verificationOver: /*i18n*/ { id: 'errors.verificationOver', message: 'Please verify your identity again.' },
  tooManyTexts: /*i18n*/ {
    id: 'errors.tooManyTexts',
    message: 'Too many text messages were sent. Please try again later.',
  },
  textNotSent: /*i18n*/ {
    id: 'errors.textNotSent',
    message: 'The text message could not be sent. Please try again.',
  },
  clientRefused: /*i18n*/ {
    id: 'errors.clientRefused',
    message: 'The credentials of the application are not valid.',
  },
  sessionEnded: /*i18n*/ {
    id: 'errors.sessionEnded',
    message: 'Your session has ended. Please sign in again.',
  },
  linkRefused: /*i18n*/ { id: 'errors.linkRefused', message: 'This link is invalid or has expired.' },
  passwordRulesBroken: /*i18n*/ {
    id: 'errors.passwordRulesBroken',
    message: 'Please meet the password requirements',
  },
  passwordsDiffer: /*i18n*/ {
    id: 'errors.passwordsDiffer',
    message: 'Please make sure your passwords match',
  },
  onlyOwnAccount: /*i18n*/ { id: 'errors.onlyOwnAccount', message: 'You may only read your own account.' },
};
