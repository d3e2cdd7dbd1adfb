/** Texts of `/two-auth` with the extension `recovery-codes`. */
export const recoveryStepMessages = {
  code: /*i18n*/ { id: 'recovery-codes/step.code', message: 'Recovery code' },
  use: /*i18n*/ { id: 'recovery-codes/step.use', message: 'Use a Recovery Code' },
  back: /*i18n*/ { id: 'recovery-codes/step.back', message: 'Use a Code Instead' },
};
