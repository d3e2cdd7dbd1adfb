import { texts } from '@shared/texts';

/** The texts that say why the service refused a new password, by `error.code`. */
export const passwordCheckMessages = texts('password-check', {
  password_breached: 'This password appeared in a data breach. Choose another one.',
  password_guessable: 'This password is too easy to guess. Choose another one.',
});
