import { setupPolling } from './setupPolling.saga';
import { refreshPolling } from './refresh/refreshPolling.saga';

/** The work of a tab in which somebody is signed in; a chunk of its own, because nobody is when `/login` comes up. */
export const watching = { session: refreshPolling, setup: setupPolling } as const;
