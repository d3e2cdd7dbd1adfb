import { endSession, isExpired, readSession, readSetup, sessionEnded, tokenNow } from '@features/session';
import type { Deps } from '@shared/deps';
import { locationChanged } from '@shared/routing/location.slice';
import { maskLocation } from '@shared/routing/maskLocation';
import { matchRoute } from '@shared/routing/matchRoute';
import { paths, routes } from '@shared/routing/paths';
import { call } from '@shared/sagas/call';
import { takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { decideAccess } from './accessDecision';

type AccessDeps = Pick<
  Deps,
  'clock' | 'config' | 'cookies' | 'navigation' | 'notes' | 'parentFrame' | 'vault'
>;

/**
 * Who may be where (specification §2, the two catch-all rules): asked on every change of address and at the end of a
 * session. Decides from the cookies, which another tab may have changed, not from the store.
 */
export function* routeAccess(deps: AccessDeps): SagaGenerator<void> {
  yield* takeEvery(locationChanged, checkAccess, deps);
  yield* takeEvery(sessionEnded, leaveAtEnd, deps);
}

/** A password that was changed in a parent's frame leads nobody away (specification §4). */
function* leaveAtEnd(
  deps: AccessDeps,
  { payload: { reason } }: ReturnType<typeof sessionEnded>,
): SagaGenerator<void> {
  if (reason !== 'changedInFrame') yield* call(checkAccess, deps);
}

function* checkAccess(deps: AccessDeps): SagaGenerator<void> {
  const { navigation } = deps;
  const { pathname, search } = navigation.current();
  const match = matchRoute(pathname);
  const stored = readSession(deps);
  const setup = readSetup(deps);
  const now = tokenNow(deps);
  const decision = decideAccess(match && routes[match.name].access, {
    session: stored.kind === 'present' && !isExpired(stored.claims, now),
    setup: setup !== null && !isExpired(setup.claims, now),
  });
  if (decision === 'enter') return;
  if (decision === 'accountSettings') {
    yield* call(navigation.replace, paths.accountSettings());
    return;
  }
  // Address first: ending the session asks this same question again, and must find the person at /login. The query goes
  // along, but for what is a secret in it, such as the link of /reset: at /login it is of no use to anybody but a thief.
  yield* call(navigation.replace, paths.login(maskLocation({ pathname, search }).search));
  if (stored.kind !== 'none')
    yield* call(endSession, deps, stored.kind === 'present' ? 'expired' : stored.kind);
}
