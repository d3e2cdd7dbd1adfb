import { texts } from '../platform/texts/texts.ts';

export const sessionTexts = texts('session', {
  tokenReused: {
    subject: 'You were signed out',
    sentence: 'A copy of a session was used. It was ended in your account',
  },
});
