import { texts } from '../platform/texts/texts.ts';

export const passwordTexts = texts('password', {
  enterNames: 'Please enter your first and last name.',
  onlyOwn: 'You may only change your own password.',
  changed: {
    subject: 'Your password was changed',
    sentence: 'The password was changed for your account',
  },
});
