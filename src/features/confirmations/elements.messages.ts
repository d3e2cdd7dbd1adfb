/** When an element confirms payments, at `/confirm/{id}` and on the settings. */
export const elementMessages = {
  title: /*i18n*/ { id: 'confirmations/elements.title', message: 'Payments' },
  text: /*i18n*/ {
    id: 'confirmations/elements.text',
    message: 'For your safety, a new passkey or phone number confirms payments only after some time.',
  },
  from: {
    passkey: (time: string) => /*i18n*/ ({
      id: 'confirmations/elements.from.passkey',
      message: 'You can confirm payments with this passkey from {time} on.',
      values: { time },
    }),
    text: (time: string) => /*i18n*/ ({
      id: 'confirmations/elements.from.text',
      message: 'You can confirm payments by text message from {time} on.',
      values: { time },
    }),
  },
  notYet: {
    passkey: /*i18n*/ {
      id: 'confirmations/elements.notYet.passkey',
      message: 'You cannot confirm payments with this passkey yet.',
    },
    text: /*i18n*/ {
      id: 'confirmations/elements.notYet.text',
      message: 'You cannot confirm payments by text message yet.',
    },
  },
  phone: /*i18n*/ { id: 'confirmations/elements.phone', message: 'Phone number' },
  needsSignIn: /*i18n*/ {
    id: 'confirmations/elements.needsSignIn',
    message: 'Sign in with this passkey once to confirm payments with it.',
  },
  permit: /*i18n*/ { id: 'confirmations/elements.permit', message: 'Confirm payments with this passkey now' },
  byPasskey: /*i18n*/ { id: 'confirmations/elements.byPasskey', message: 'Use Another Passkey' },
  byText: /*i18n*/ { id: 'confirmations/elements.byText', message: 'Use a Text Message' },
  sent: (lastFour: string) => /*i18n*/ ({
    id: 'confirmations/elements.sent',
    message: 'We just sent a text message with a code to your phone number ending in {lastFour}.',
    values: { lastFour },
  }),
  permitted: /*i18n*/ {
    id: 'confirmations/elements.permitted',
    message: 'You can confirm payments with this passkey now.',
  },
  blocked: {
    id: 'permission-blocked',
    title: /*i18n*/ { id: 'confirmations/elements.blocked.title', message: 'Payments' },
    message: /*i18n*/ {
      id: 'confirmations/elements.blocked.message',
      message: 'Too many failed attempts. Try again later.',
    },
    confirmLabel: /*i18n*/ { id: 'confirmations/elements.blocked.confirmLabel', message: 'Ok' },
  },
};
