import { createChunk } from '@shared/chunk';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { pollEveryMs } from '@vestibule/client/refreshLimits';
import { delay } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { polling } from './polling';

/** After this number of failures in a row while online, the chunk counts as lost. */
const mostFailures = 3;

/**
 * Loads the chunk with the polling. After three failures in a row while online the saga crashes
 * (docs/behaviour.md#lost-parts-of-the-application). Wake-ups are buffered meanwhile, so that a page that is left and comes
 * back stays hidden until its session has been checked.
 */
export function* loadPolling({ log, pageLife }: Deps): SagaGenerator<typeof polling> {
  const chunk = createChunk(() => import(/* webpackChunkName: "session" */ './polling'));
  for (let failures = 0; ;) {
    try {
      return (yield* call(chunk.load)).polling;
    } catch (error) {
      yield* call(log.warn, 'session chunk failed to load');
      failures = pageLife.isOnline() ? failures + 1 : 0;
      if (failures === mostFailures) throw error;
    }
    yield* delay(pollEveryMs);
  }
}
