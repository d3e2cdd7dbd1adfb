import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { pollSoonMs } from '@vestibule/client/refreshLimits';
import { decideAfter } from '@vestibule/client/sessionRules';
import { delay, select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { endSession } from '../endSession.saga';
import { selectPhase } from '../session.slice';
import { clearSession } from '../sessionCookies';
import { refreshOnce } from './refreshOnce.saga';
import { readUncertain } from './tokenClock';

/**
 * Refreshes an uncertain session. A refusal or a missing response ends it. A tab that shows no signed-in user gets no event, so that
 * a form that is being filled in stays. Offline, nothing happens, and the next poll tries again.
 */
export function* settleUncertain(deps: Deps): SagaGenerator<void> {
  for (let uncertain = readUncertain(deps); uncertain !== null; uncertain = readUncertain(deps)) {
    const { kind } = yield* call(refreshOnce, deps, uncertain);
    if (kind === 'refreshed') {
      yield* call(deps.parentFrame.notify, 'new_tokens');
      return;
    }
    const decision = decideAfter(kind, true, true);
    if (decision === 'later') return;
    if (decision !== 'soon') {
      if (decision === 'noPersonas' || (yield* select(selectPhase)) !== 'anonymous') {
        yield* call(endSession, deps, decision);
        return;
      }
      yield* call(clearSession, deps);
      yield* call(deps.parentFrame.notify, 'removed_tokens');
      return;
    }
    yield* delay(pollSoonMs);
  }
}
