import { texts } from '@shared/texts';

/** Texts of `/two-auth` with the extension `recovery-codes`. */
export const recoveryStepMessages = texts('recovery-codes/step', {
  code: 'Recovery code',
  use: 'Use a Recovery Code',
  back: 'Use a Code Instead',
});
