/** Texts of `ResendCode`. */
export const resendCodeMessages = {
  noCode: /*i18n*/ { id: 'resend-code.noCode', message: "Didn't get the code?" },
  resend: /*i18n*/ { id: 'resend-code.resend', message: 'Resend' },
  resent: /*i18n*/ { id: 'resend-code.resent', message: 'A new six digit code has been sent to your phone' },
};
