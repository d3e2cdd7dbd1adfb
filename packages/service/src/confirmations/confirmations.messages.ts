import { texts } from '../platform/texts/texts.ts';

export const confirmationTexts = texts('confirmations', {
  unknown: 'There is no such payment.',
  unknownUser: 'This person has no account.',
  keyUsed: 'This key was used for another payment.',
  closed: 'This payment is decided already.',
  codeWrong: 'Incorrect code. Please enter verification code again.',
  passkeyRefused: 'This passkey was not accepted.',
  noPhone: 'Text messages are not set up.',
  /** `{0}` is the amount, `{1}` the recipient. The whole text message has at most 306 characters, or 134 if one of them is not in GSM 03.38. */
  code: (amount: string, payee: string, code: string): string =>
    `${amount} to ${payee}: ${code} is the code to confirm this payment. Do not share it with anyone.`,
  failed: {
    subject: 'A payment was not confirmed',
    sentence: 'Someone tried five times without success to confirm a payment from your account',
  },
});
