import { refreshPolling } from './refreshPolling.saga';
import { settleUncertain } from './settleUncertain.saga';
import { setupPolling } from './setupPolling.saga';

/** The sagas of a signed-in tab. They are in a separate chunk, because `/login` does not need them. */
export const polling = { session: refreshPolling, setup: setupPolling, settle: settleUncertain } as const;
