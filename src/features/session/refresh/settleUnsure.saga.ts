import { call } from '@shared/sagas/call.saga';
import { delay } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { endSession } from '../endSession.saga';
import { refreshOnce, type RefreshDeps } from './refreshOnce.saga';
import { pollSoonMs } from './refreshTiming';
import { readUnsure } from './tokenClock';

/**
 * Refreshes a session of which nothing is sure, once. It ends without a response, or with a refusal. Offline, nothing happens, and
 * the next poll tries again.
 */
export function* settleUnsure(deps: RefreshDeps): SagaGenerator<void> {
  for (let unsure = readUnsure(deps); unsure !== null; unsure = readUnsure(deps)) {
    const { kind } = yield* call(refreshOnce, deps, unsure);
    if (kind === 'offline') return;
    if (kind === 'refreshed') {
      yield* call(deps.parentFrame.tell, 'new_tokens');
      return;
    }
    if (kind === 'refused' || kind === 'noPersonas' || kind === 'failed') {
      yield* call(endSession, deps, kind === 'failed' ? 'expired' : kind);
      return;
    }
    yield* delay(pollSoonMs);
  }
}
