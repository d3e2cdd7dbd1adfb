import {
  endStoredSessions,
  endSession,
  hasExpired,
  keepReturn,
  readSession,
  readSetup,
  seemsExpired,
  selectPhase,
  sessionEnded,
} from '@features/session';
import type { Deps, RouteAccess } from '@shared/deps';
import type { RouteState } from '@shared/routing/routeState';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { lockedOut } from '@shared/sagas/callApi.saga';
import { select, takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { maskLocation } from './maskLocation';
import { findRoute, type RouteMatch } from './routes';

/** The valid sessions in the cookies. */
interface ValidSessions {
  readonly session: boolean;
  readonly setup: boolean;
}

/** Whether the user may enter, or the screen to redirect to. */
type AccessDecision = 'enter' | 'login' | 'accountSettings';

/**
 * The rules of docs/behaviour.md#access.
 *
 * @param access - who may enter the route; `null` for an unknown address
 */
function decideAccess(access: RouteAccess | null, { session, setup }: ValidSessions): AccessDecision {
  if (access === 'public') return 'enter';
  if (!session && !setup) return 'login';
  if (access === null) return 'accountSettings';
  // With a setup token only, the user may enter the setup routes only.
  return session || access === 'setup' ? 'enter' : 'accountSettings';
}

/** Checks access at the end of a session and after too many failed attempts. After a password change in a frame the screen stays. */
export function* checkAccessAtEnd(deps: Deps): SagaGenerator<void> {
  yield* takeEvery(sessionEnded, function* ({ payload: { reason } }) {
    if (reason !== 'changedInFrame') yield* call(checkAccess, deps);
  });
  yield* takeEvery(lockedOut, lockOut, deps);
}

/**
 * Ends the session or setup mode, or the challenge, after too many failed attempts (docs/behaviour.md#lockout). The other public
 * screens show the message themselves.
 */
function* lockOut(deps: Deps, { payload: { message } }: ReturnType<typeof lockedOut>): SagaGenerator<void> {
  const match = findRoute(deps.navigation.current().pathname, deps.features);
  const isPublic = match !== null && match.route.access === 'public';
  if (isPublic && match.name !== 'twoAuth') return;
  yield* call(goToLogin, deps, match, { lockoutMessage: message });
  if (isPublic) return;
  yield* call(endStoredSessions, deps);
  yield* call(endSession, deps, 'refused');
}

/**
 * Opens `/login`. Call it before the session ends: the end runs the access check again, and by then the page must be at
 * `/login`. The query is kept, but its secrets, such as the hash of `/reset`, are masked: `/login` does not need them. Routes
 * that `/login` leads back to are its `url` instead.
 */
function* goToLogin({ navigation }: Deps, match: RouteMatch | null, state?: RouteState): SagaGenerator<void> {
  const here = navigation.current();
  const search = match?.route.returnsAfterLogin
    ? `?url=${encodeURIComponent(here.pathname + here.search)}`
    : maskLocation(here).search;
  yield* call(navigation.replace, paths.login(search), state);
}

/**
 * Checks access on every change of address and at the end of a session (docs/behaviour.md#access). Reads the cookies,
 * which another tab may have changed, and redirects a user who may not stay.
 */
export function* checkAccess(deps: Deps): SagaGenerator<boolean> {
  const { navigation } = deps;
  const match = findRoute(navigation.current().pathname, deps.features);
  const stored = readSession(deps);
  const setup = readSetup(deps);
  // While the polling runs, it alone ends an expired session, because a refresh may be in progress.
  const isPolled = (yield* select(selectPhase)) !== 'anonymous';
  const decision = decideAccess(match?.route.access ?? null, {
    session: stored.kind === 'present' && (isPolled || !seemsExpired(deps, stored.claims)),
    setup: setup !== null && !hasExpired(deps, setup.claims),
  });
  if (decision === 'enter') return true;
  if (decision === 'accountSettings') {
    if (match?.route.returnsAfterLogin) yield* call(keepReturn, deps, navigation.current().pathname);
    yield* call(navigation.replace, paths.accountSettings());
    return false;
  }
  yield* call(goToLogin, deps, match);
  if (stored.kind === 'present') {
    if (hasExpired(deps, stored.claims)) yield* call(endSession, deps, 'expired');
  } else if (stored.kind !== 'none') yield* call(endSession, deps, stored.kind);
  return false;
}
