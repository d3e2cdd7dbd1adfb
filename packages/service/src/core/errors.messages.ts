import { plural } from '@vestibule/contract/plural';
import { texts } from '../platform/texts/texts.ts';

/** The messages of refusals: `error.message` of the contract. */
export const errorTexts = texts('errors', {
  credentialsRefused:
    'We were unable to match the User ID and password you entered. Please check your entries and try again.',
  noAccess: 'Your account has no access',
  newPasswordRequired: 'Please set a new password. We have sent you an e-mail with a link.',
  providerUnavailable: 'The sign-in provider could not be reached. Please try again.',
  providerTimedOut: 'The sign-in provider did not answer in time. Please try again.',
  providerNotSetUp: 'Signing in with this provider is not set up.',
  /** `{0}` is one of the texts `minutes` or `hours`. */
  lockedOut: (wait: string): string => `Too many failed login attempts. Please try again in ${wait}.`,
  minutes: (count: number): string => plural(count, { one: '# minute', other: '# minutes' }),
  hours: (count: number): string => plural(count, { one: '# hour', other: '# hours' }),
  identityRefused: 'We were unable to verify your identity. Please try again.',
  codeRefused: 'Incorrect Security or Verification Code',
  challengeOver: 'The time to enter the code is over. Please sign in again.',
  verificationOver: 'Please verify your identity again.',
  tooManyTexts: 'Too many text messages were sent. Please try again later.',
  textNotSent: 'The text message could not be sent. Please try again.',
  clientRefused: 'The credentials of the application are not valid.',
  sessionEnded: 'Your session has ended. Please sign in again.',
  linkRefused: 'This link is invalid or has expired.',
  passwordRulesBroken: 'Please meet the password requirements',
  passwordsDiffer: 'Please make sure your passwords match',
  onlyOwnAccount: 'You may only read your own account.',
});
