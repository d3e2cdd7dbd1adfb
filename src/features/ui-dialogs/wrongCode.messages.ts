/** The dialog of a wrong code. */
export const wrongCodeMessages = {
  id: 'wrong-code',
  title: /*i18n*/ { id: 'wrong-code.title', message: 'Incorrect Security or Verification Code' },
  message: /*i18n*/ {
    id: 'wrong-code.message',
    message: 'Incorrect code. Please enter verification code again.',
  },
  confirmLabel: /*i18n*/ { id: 'wrong-code.confirmLabel', message: 'Ok' },
};
