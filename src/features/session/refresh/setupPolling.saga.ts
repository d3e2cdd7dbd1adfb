import { bearerRefused } from '@shared/sagas/callApi.saga';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { paths } from '@vestibule/contract/paths';
import { decideSetupPoll } from '@vestibule/client/sessionRules';
import type { EventChannel } from 'redux-saga';
import { put, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Claims } from '../claims';
import { endSession } from '../endSession.saga';
import { takeReturn } from '../redirect/returnPlace';
import { sessionRestored } from '../session.slice';
import { clearSetup, readSession, readSetup } from '../sessionCookies';
import { nextPoll, type WakeUp } from './nextPoll.saga';
import { reloadForOtherUser } from './reloadForOtherUser.saga';
import { tokenClock } from './tokenClock';

/**
 * Watches a setup-mode session, which cannot be refreshed. When its token expires, is refused, or another tab removes it, the
 * session ends, in the middle of a step too (docs/behaviour.md#setup-mode).
 */
export function* setupPolling(
  deps: Deps,
  events: EventChannel<WakeUp>,
  { uid }: Claims,
): SagaGenerator<void> {
  for (;;) {
    const { event, refused } = yield* race({ event: call(nextPoll, events), refused: take(bearerRefused) });
    if (event === 'left') continue;
    const stored = readSession(deps);
    const decision = decideSetupPoll({
      ...{ stored, setup: readSetup(deps), uid, clock: tokenClock(deps) },
      ...{ isRestored: event === 'restored', isRefused: refused !== undefined },
    });
    if (decision === 'wait') continue;
    if (decision === 'replaced') {
      yield* call(reloadForOtherUser, deps);
    } else if (decision !== 'signedIn') {
      yield* call(clearSetup, deps);
      // Before the end: the page must be at `/login` when the access is checked.
      const search = takeReturn(deps);
      if (search !== '') yield* call(deps.navigation.replace, paths.login(search));
      yield* call(endSession, deps, decision);
    } else if (stored.kind === 'present') {
      yield* call(deps.parentFrame.notify, 'new_tokens');
      yield* put(sessionRestored(stored.claims));
    }
    return;
  }
}
