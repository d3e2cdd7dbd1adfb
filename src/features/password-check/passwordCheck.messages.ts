/** The texts that say why the service refused a new password, by `error.code`. */
export const passwordCheckMessages = {
  password_breached: /*i18n*/ {
    id: 'password-check.password_breached',
    message: 'This password appeared in a data breach. Choose another one.',
  },
  password_guessable: /*i18n*/ {
    id: 'password-check.password_guessable',
    message: 'This password is too easy to guess. Choose another one.',
  },
};
