import { texts } from '../platform/texts/texts.ts';

export const passkeyTexts = texts('passkeys', {
  challengeExpired: 'This took too long. Please try again.',
  refused: 'This passkey was not accepted.',
  unknown: 'This passkey is no longer valid.',
  added: {
    subject: 'A passkey was added',
    sentence: 'A passkey was added to your account',
  },
  removed: {
    subject: 'A passkey was removed',
    sentence: 'A passkey was removed from your account',
  },
});
