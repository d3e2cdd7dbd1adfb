import { texts } from '@shared/texts';

/** Texts for the events of connected applications. */
export const eventMessages = texts('openid/events', {
  activity: { 'application-disconnected': 'Application disconnected' },
});
