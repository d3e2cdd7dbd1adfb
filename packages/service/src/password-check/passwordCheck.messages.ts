import type { Value } from '../platform/texts/texts.ts';

export const passwordCheckTexts = {
  breached: /*i18n*/ {
    id: 'password-check.breached',
    message: 'This password appeared in a data breach. Choose another one.',
  },
  guessable: /*i18n*/ {
    id: 'password-check.guessable',
    message: 'This password is too easy to guess. Choose another one.',
  },
  mail: {
    subject: /*i18n*/ {
      id: 'password-check.mail.subject',
      message: 'Your password appeared in a data breach',
    },
    known: (username: Value, host: Value) => /*i18n*/ ({
      id: 'password-check.mail.known',
      message:
        'The password of your account {username} at {host} is on a list of passwords that others know, from a data breach elsewhere or because many people use it. Choose another one, here and wherever you use it:',
      values: { username, host },
    }),
    change: /*i18n*/ { id: 'password-check.mail.change', message: 'Change your password' },
  },
};
