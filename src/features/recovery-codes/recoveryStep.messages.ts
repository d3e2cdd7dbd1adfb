/** Texts of `/two-auth` with the extension `recovery-codes`. */
export const recoveryStepMessages = {
  code: 'Recovery code',
  use: 'Use a Recovery Code',
  back: 'Use a Code Instead',
} as const;
