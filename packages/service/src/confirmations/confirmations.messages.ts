import type { Value } from '../platform/texts/texts.ts';

export const confirmationTexts = {
  unknown: /*i18n*/ { id: 'confirmations.unknown', message: 'There is no such payment.' },
  unknownUser: /*i18n*/ { id: 'confirmations.unknownUser', message: 'This person has no account.' },
  notPermitted: /*i18n*/ {
    id: 'confirmations.notPermitted',
    message: 'This application may not ask for this payment.',
  },
  keyUsed: /*i18n*/ { id: 'confirmations.keyUsed', message: 'This key was used for another payment.' },
  closed: /*i18n*/ { id: 'confirmations.closed', message: 'This payment is decided already.' },
  codeWrong: /*i18n*/ {
    id: 'confirmations.codeWrong',
    message: 'Incorrect code. Please enter verification code again.',
  },
  passkeyRefused: /*i18n*/ { id: 'confirmations.passkeyRefused', message: 'This passkey was not accepted.' },
  noPhone: /*i18n*/ { id: 'confirmations.noPhone', message: 'Text messages are not set up.' },
  unknownPasskey: /*i18n*/ { id: 'confirmations.unknownPasskey', message: 'There is no such passkey.' },
  permission: (code: Value) => /*i18n*/ ({
    id: 'confirmations.permission',
    message: 'Code {code} lets a new passkey confirm payments. Do not share it.',
    values: { code },
  }),
  identityRequired: /*i18n*/ {
    id: 'confirmations.identityRequired',
    message: 'To continue, first verify it is you.',
  },
  methodBlocked: /*i18n*/ {
    id: 'confirmations.methodBlocked',
    message: 'Too many failed attempts. Try again later.',
  },
  code: (amount: Value, payee: Value, code: Value) => /*i18n*/ ({
    id: 'confirmations.code',
    message: '{amount} to {payee}: code {code}. Do not share it.',
    comment:
      'payee: the recipient, perhaps with the end of an account, such as “Northwind GmbH (...2051)”. A colon stands before the code, the last sentence after it. The words have at most 40 characters. In a language from right to left, a word stands first.',
    values: { amount, payee, code },
  }),
  askedFor: (application: Value, amount: Value, payee: Value) => /*i18n*/ ({
    id: 'confirmations.askedFor',
    message: 'Payment: {amount} to {payee}, requested by {application}.',
    comment: 'In mails about a payment. application: its name. payee: the recipient.',
    values: { application, amount, payee },
  }),
  blocked: {
    subject: /*i18n*/ {
      id: 'confirmations.blocked.subject',
      message: 'A method of confirming payments is blocked',
    },
    sentence: /*i18n*/ {
      id: 'confirmations.blocked.sentence',
      message:
        'After five failed attempts in a row, a method of confirming payments is blocked for a while for your account',
    },
  },
  failed: {
    subject: /*i18n*/ { id: 'confirmations.failed.subject', message: 'A payment was not confirmed' },
    sentence: /*i18n*/ {
      id: 'confirmations.failed.sentence',
      message: 'Someone tried five times without success to confirm a payment from your account',
    },
  },
};
