/** Texts of `/confirm/{id}`. */
export const confirmationMessages = {
  title: /*i18n*/ { id: 'confirmations.title', message: 'Confirm payment' },
  loading: /*i18n*/ { id: 'confirmations.loading', message: 'Loading…' },
  to: (payee: string) => /*i18n*/ ({ id: 'confirmations.to', message: 'To {payee}', values: { payee } }),
  requestedBy: (application: string) => /*i18n*/ ({
    id: 'confirmations.requestedBy',
    message: 'Requested by {application}',
    values: { application },
  }),
  passkey: /*i18n*/ { id: 'confirmations.passkey', message: 'Confirm with a Passkey' },
  text: /*i18n*/ { id: 'confirmations.text', message: 'Confirm by Text Message' },
  decline: /*i18n*/ { id: 'confirmations.decline', message: 'Decline' },
  account: /*i18n*/ { id: 'confirmations.account', message: 'Account' },
  reference: /*i18n*/ { id: 'confirmations.reference', message: 'Reference' },
  timeLeft: (time: string) => /*i18n*/ ({
    id: 'confirmations.timeLeft',
    message: 'Time left: {time}',
    values: { time },
  }),
  blocked: (time: string) => /*i18n*/ ({
    id: 'confirmations.blocked',
    message: 'Too many failed attempts. Try again at {time}.',
    values: { time },
  }),
  noMethod: /*i18n*/ {
    id: 'confirmations.noMethod',
    message: 'Add a passkey or a phone number to confirm payments.',
  },
  accountSettings: /*i18n*/ { id: 'confirmations.accountSettings', message: 'Account Settings' },
  sent: (lastFour: string) => /*i18n*/ ({
    id: 'confirmations.sent',
    message:
      'We just sent a text message that names the amount and the payee to your phone number ending in {lastFour}.',
    values: { lastFour },
  }),
  code: /*i18n*/ { id: 'confirmations.code', message: 'Verification code' },
  codeLength: /*i18n*/ { id: 'confirmations.codeLength', message: '6 digits' },
  verify: /*i18n*/ { id: 'confirmations.verify', message: 'Verify' },
  passkeyError: {
    id: 'passkey-error',
    title: /*i18n*/ { id: 'confirmations.passkeyError.title', message: 'Passkey Error' },
    message: /*i18n*/ {
      id: 'confirmations.passkeyError.message',
      message: 'Unable to verify with a passkey',
    },
    confirmLabel: /*i18n*/ { id: 'confirmations.passkeyError.confirmLabel', message: 'Ok' },
  },
  error: {
    id: 'confirmation-error',
    title: /*i18n*/ { id: 'confirmations.error.title', message: 'Confirmation Error' },
    confirmLabel: /*i18n*/ { id: 'confirmations.error.confirmLabel', message: 'Ok' },
  },
  endings: {
    confirmed: /*i18n*/ { id: 'confirmations.endings.confirmed', message: 'Payment confirmed.' },
    declined: /*i18n*/ { id: 'confirmations.endings.declined', message: 'You declined this payment.' },
    failed: /*i18n*/ { id: 'confirmations.endings.failed', message: 'This payment was not confirmed.' },
    expired: /*i18n*/ {
      id: 'confirmations.endings.expired',
      message: 'The time for this payment has run out.',
    },
  },
  backTo: (application: string) => /*i18n*/ ({
    id: 'confirmations.backTo',
    message: 'Back to {application}',
    values: { application },
  }),
  unreached: /*i18n*/ {
    id: 'confirmations.unreached',
    message: 'We could not reach the service. Check your connection and try again.',
  },
  tryAgain: /*i18n*/ { id: 'confirmations.tryAgain', message: 'Try Again' },
};
