import { texts } from '../platform/texts/texts.ts';

export const signInTexts = texts('sign-in', {
  newDevice: {
    subject: 'New sign-in to your account',
    sentence: 'Someone signed in to your account',
  },
});
