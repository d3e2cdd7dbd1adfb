import { texts } from '../platform/texts/texts.ts';

export const recoveryTexts = texts('recovery-codes', {
  needTwoStep: 'Recovery codes need two-step verification to be on.',
  made: {
    subject: 'New recovery codes',
    sentence: 'New recovery codes were made for your account',
  },
  used: {
    subject: 'A recovery code was used',
    sentence: 'A recovery code was used to sign in to your account',
  },
});
