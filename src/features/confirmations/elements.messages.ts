import { texts } from '@shared/texts';

/** When an element confirms payments, at `/confirm/{id}` and on the settings. */
export const elementMessages = texts('confirmations/elements', {
  title: 'Payments',
  text: 'For your safety, a new passkey or phone number confirms payments only after some time.',
  from: {
    passkey: (time: string): string => `You can confirm payments with this passkey from ${time} on.`,
    text: (time: string): string => `You can confirm payments by text message from ${time} on.`,
  },
  notYet: {
    passkey: 'You cannot confirm payments with this passkey yet.',
    text: 'You cannot confirm payments by text message yet.',
  },
  phone: 'Phone number',
  needsSignIn: 'Sign in with this passkey once to confirm payments with it.',
  permit: 'Confirm payments with this passkey now',
  byPasskey: 'Use Another Passkey',
  byText: 'Use a Text Message',
  sent: (lastFour: string): string =>
    `We just sent a text message with a code to your phone number ending in ${lastFour}.`,
  permitted: 'You can confirm payments with this passkey now.',
  blocked: {
    id: 'permission-blocked',
    title: 'Payments',
    message: 'Too many failed attempts. Try again later.',
    confirmLabel: 'Ok',
  },
});
