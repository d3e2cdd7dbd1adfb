import { texts } from '@shared/texts';

/** Texts for the events of recovery codes. */
export const eventMessages = texts('recovery-codes/events', {
  activity: { 'recovery-code-used': 'Recovery code used' },
  notices: {
    'recovery-code-used': 'A recovery code was used to sign in to your account.',
    'recovery-codes-made': 'New recovery codes were made for your account.',
  },
});
