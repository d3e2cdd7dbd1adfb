import { texts } from '../platform/texts/texts.ts';

export const identityTexts = texts('identity', {
  locked: {
    subject: 'Your account was locked',
    sentence: 'Sign-in with the password was locked for your account',
  },
});
