import { texts } from '../platform/texts/texts.ts';

export const confirmationTexts = texts('confirmations', {
  unknown: 'There is no such payment.',
  unknownUser: 'This person has no account.',
  notPermitted: 'This application may not ask for this payment.',
  keyUsed: 'This key was used for another payment.',
  closed: 'This payment is decided already.',
  codeWrong: 'Incorrect code. Please enter verification code again.',
  passkeyRefused: 'This passkey was not accepted.',
  noPhone: 'Text messages are not set up.',
  unknownPasskey: 'There is no such passkey.',
  permission: (code: string): string => `Code ${code} lets a new passkey confirm payments. Do not share it.`,
  identityRequired: 'To continue, first verify it is you.',
  methodBlocked: 'Too many failed attempts. Try again later.',
  /**
   * `{0}` is the amount, `{1}` the recipient, perhaps with the end of an account, such as 'Northwind GmbH (...2051)', `{2}` the code. A
   * colon stands before the code, the last sentence after it. The words have at most 40 characters; in a language from right to left, a
   * word stands first.
   */
  code: (amount: string, payee: string, code: string): string =>
    `${amount} to ${payee}: code ${code}. Do not share it.`,
  /** In mails about a payment. `{0}` is the application, `{1}` the amount, `{2}` the recipient. */
  askedFor: (application: string, amount: string, payee: string): string =>
    `Payment: ${amount} to ${payee}, requested by ${application}.`,
  blocked: {
    subject: 'A method of confirming payments is blocked',
    sentence:
      'After five failed attempts in a row, a method of confirming payments is blocked for a while for your account',
  },
  failed: {
    subject: 'A payment was not confirmed',
    sentence: 'Someone tried five times without success to confirm a payment from your account',
  },
});
