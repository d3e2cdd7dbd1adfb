import { texts } from '@shared/texts';

/** Texts of `ResendCode`. */
export const resendCodeMessages = texts('resend-code', {
  noCode: "Didn't get the code?",
  resend: 'Resend',
  resent: 'A new six digit code has been sent to your phone',
});
