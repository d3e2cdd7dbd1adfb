/** Texts of `/two-auth` with the extension `recovery-codes`. */
export const recoveryMessages = {
  code: 'Recovery code',
  use: 'Use a Recovery Code',
  back: 'Use a Code Instead',
} as const;
