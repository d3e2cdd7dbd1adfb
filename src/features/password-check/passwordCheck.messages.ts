/** The texts that say why the service refused a new password. */
export const passwordCheckMessages = {
  breached: 'This password appeared in a data breach. Choose another one.',
  guessable: 'This password is too easy to guess. Choose another one.',
} as const;
