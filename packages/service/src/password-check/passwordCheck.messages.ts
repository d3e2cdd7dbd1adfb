import { texts } from '../platform/texts/texts.ts';

export const passwordCheckTexts = texts('password-check', {
  breached: 'This password appeared in a data breach. Choose another one.',
  guessable: 'This password is too easy to guess. Choose another one.',
  mail: {
    subject: 'Your password appeared in a data breach',
    known: (username: string, host: string): string =>
      `The password of your account ${username} at ${host} is on a list of passwords that others know, from a data breach elsewhere or because many people use it. Choose another one, here and wherever you use it:`,
    change: 'Change your password',
  },
});
