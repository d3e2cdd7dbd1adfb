import { ApiError, isRefusal } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { decodeClaims, type Claims } from '../claims';
import { sessionRefreshed } from '../session.slice';
import { readSession, type StoredSession } from '../sessionCookies';
import { writeSession } from '../signInCookies';
import { beginPause, endPause, pauseLeft } from './refreshTiming';
import { setTokenClock } from './tokenClock';

/** What keeping a session alive needs. */
export type RefreshDeps = Pick<
  Deps,
  | 'api'
  | 'broadcast'
  | 'cookies'
  | 'config'
  | 'clock'
  | 'locks'
  | 'log'
  | 'navigation'
  | 'storage'
  | 'pageLife'
  | 'parentFrame'
  | 'random'
  | 'vault'
>;

/**
 * The result of one try:
 * - `offline`, `pausing`: no call was made
 * - `busy`: another tab holds the lock
 * - `overtaken`: the cookie changed meanwhile (another tab refreshed or signed out); it wins
 * - `refused`: the service refused the token that the cookie still holds, the browser refused the new cookie, or the new token
 *   is another user's
 * - `noPersonas`: the user no longer has access to any application
 * - `failed`: transport or service trouble; the token may still be good, so another try follows after a pause
 */
export type RefreshOutcome =
  | { readonly kind: 'refreshed'; readonly claims: Claims }
  | { readonly kind: 'offline' | 'pausing' | 'busy' | 'overtaken' | 'refused' | 'noPersonas' | 'failed' };

/** A session as the cookie held it. */
export type SeenSession = Extract<StoredSession, { readonly kind: 'present' }>;

/**
 * Refreshes the token under the lock that all tabs share (docs/behaviour.md#refresh-call).
 *
 * @param seen - the session that the caller found due; if the cookie has changed since, no call is made
 */
export function* refreshOnce(deps: RefreshDeps, seen: SeenSession): SagaGenerator<RefreshOutcome> {
  if (!deps.pageLife.isOnline()) return { kind: 'offline' };
  if (pauseLeft(deps, seen.claims) > 0) return { kind: 'pausing' };
  // A promise, not a saga: a cancelled saga would release the lock before the response is handled.
  const lock = yield* call(deps.locks.tryRun, deps.config.cookies.prefix, () => renew(deps, seen));
  const outcome: RefreshOutcome = lock.held ? (lock.value as RefreshOutcome) : { kind: 'busy' };
  if (outcome.kind === 'refreshed') yield* put(sessionRefreshed(outcome.claims));
  return outcome;
}

async function renew(deps: RefreshDeps, seen: SeenSession): Promise<RefreshOutcome> {
  if (!stillHolds(deps, seen)) return { kind: 'overtaken' };
  // Checked again: the pause may have begun while this tab waited for the lock.
  if (pauseLeft(deps, seen.claims) > 0) return { kind: 'pausing' };
  try {
    const tokens = await deps.api.auth.refresh(seen.tokens.refresh);
    if (!stillHolds(deps, seen)) return { kind: 'overtaken' };
    const claims = decodeClaims(tokens.token);
    if (!claims) throw new ApiError('unexpected');
    if (claims.uid !== seen.claims.uid) {
      deps.log.warn('session refreshed for another user');
      return { kind: 'refused' };
    }
    if (claims.personas.length === 0) return { kind: 'noPersonas' };
    if (!writeSession(deps, tokens)) {
      deps.log.warn('session cookie refused by the browser');
      return { kind: 'refused' };
    }
    setTokenClock(deps, claims);
    endPause(deps);
    return { kind: 'refreshed', claims };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (!stillHolds(deps, seen)) return { kind: 'overtaken' };
    deps.log.warn('session refresh failed', { kind: error.kind, status: error.details.status ?? 0 });
    if (isRefusal(error)) return { kind: 'refused' };
    beginPause(deps, error.details);
    return { kind: 'failed' };
  }
}

function stillHolds(deps: RefreshDeps, seen: SeenSession): boolean {
  const stored = readSession(deps);
  return stored.kind === 'present' && stored.tokens.refresh === seen.tokens.refresh;
}
