import { refreshPolling } from './refreshPolling.saga';
import { settleUncertain } from './settleUncertain.saga';
import { setupPolling } from './setupPolling.saga';

/** The sagas of a signed-in tab, a separate chunk: `/login` opens without it. */
export const polling = { session: refreshPolling, setup: setupPolling, settle: settleUncertain } as const;
