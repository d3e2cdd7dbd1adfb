import { texts } from '@shared/texts';

/** The texts that say why a session ended. */
export const endNoticeMessages = texts('events', {
  'ended-elsewhere': 'You were signed out on another device.',
  'password-changed': 'Your password was changed. Sign in again.',
  locked: 'Your account is locked.',
  reused: 'You were signed out for your safety.',
});
