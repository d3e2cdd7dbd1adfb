import type { Feature } from '@shared/deps';
import { endNoticeReducer } from './endNotice.slice';
import { eventsScenarios } from './events.scenarios';
import { followEvents } from './followEvents.saga';
import { LoginNotice } from './LoginNotice.container';

/** See docs/behaviour.md#live-events. */
export const events = {
  name: 'events',
  reducer: endNoticeReducer,
  whileSignedIn: followEvents,
  LoginNotice,
  ...(process.env['NODE_ENV'] !== 'production' && { scenarios: eventsScenarios }),
} as const satisfies Feature;
