import { texts } from '@shared/texts';

/** Texts for the events of connected applications. */
export const eventTexts = texts('openid/events', {
  activity: { 'application-disconnected': 'Application disconnected' },
});
