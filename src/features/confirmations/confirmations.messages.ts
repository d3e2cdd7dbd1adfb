import { texts } from '@shared/texts';

/** Texts of `/confirm/{id}`. */
export const confirmationMessages = texts('confirmations', {
  title: 'Confirm payment',
  loading: 'Loading…',
  to: (payee: string): string => `To ${payee}`,
  requestedBy: (application: string): string => `Requested by ${application}`,
  passkey: 'Confirm with a Passkey',
  text: 'Confirm by Text Message',
  decline: 'Decline',
  account: 'Account',
  reference: 'Reference',
  timeLeft: (time: string): string => `Time left: ${time}`,
  blocked: (time: string): string => `Too many failed attempts. Try again at ${time}.`,
  noMethod: 'Add a passkey or a phone number to confirm payments.',
  accountSettings: 'Account Settings',
  sent: (lastFour: string): string =>
    `We just sent a text message that names the amount and the payee to your phone number ending in ${lastFour}.`,
  code: 'Verification code',
  codeLength: '6 digits',
  verify: 'Verify',
  passkeyError: {
    id: 'passkey-error',
    title: 'Passkey Error',
    message: 'Unable to verify with a passkey',
    confirmLabel: 'Ok',
  },
  error: { id: 'confirmation-error', title: 'Confirmation Error', confirmLabel: 'Ok' },
  endings: {
    confirmed: 'Payment confirmed.',
    declined: 'You declined this payment.',
    failed: 'This payment was not confirmed.',
    expired: 'The time for this payment has run out.',
  },
  backTo: (application: string): string => `Back to ${application}`,
  unreached: 'We could not reach the service. Check your connection and try again.',
  tryAgain: 'Try Again',
});
