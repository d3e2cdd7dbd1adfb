import { ApiError, isRefusal } from '@shared/api/apiError';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { decodeClaims, type Claims } from '../claims';
import { sessionRefreshed } from '../session.slice';
import { readSession, type StoredSession } from '../sessionCookies';
import { setTokenClock } from '../tokenClock';
import { writeSession } from '../writeCookies';
import { beginPause, pauseLeft } from './backOff';
import { endPause } from './endPause';
import type { RefreshDeps } from './refreshDeps';

/**
 * What came of one attempt:
 * - `offline`, `pausing`: none is to be made now
 * - `busy`: another tab holds the lock
 * - `overtaken`: the cookie changed meanwhile (another tab refreshed, or somebody signed out); it wins
 * - `refused`: the service said no, and the cookie is still the one that was sent; or the browser refused the new cookie,
 *   or the new token is another person's
 * - `noPersonas`: the person reaches no application any more (specification §5)
 * - `failed`: transport or service trouble; the token may still be good, so it is tried again after a pause
 */
export type RefreshOutcome =
  | { readonly kind: 'refreshed'; readonly claims: Claims }
  | { readonly kind: 'offline' | 'pausing' | 'busy' | 'overtaken' | 'refused' | 'noPersonas' | 'failed' };

type SeenSession = Extract<StoredSession, { readonly kind: 'present' }>;

/**
 * Renews the token under the lock that all tabs share: read the cookie again, call, and write only if the cookie is
 * still the one that was sent (decisions §8).
 *
 * @param seen - the session that the caller found due; if the cookie holds other tokens by now, no call is made
 */
export function* refreshOnce(deps: RefreshDeps, seen: SeenSession): SagaGenerator<RefreshOutcome> {
  if (!deps.pageLife.isOnline()) return { kind: 'offline' };
  if (pauseLeft(deps, seen.claims) > 0) return { kind: 'pausing' };
  // One promise, not sagas, inside the lock: a cancelled saga must not leave it before the answer is dealt with.
  const attempt = yield* call(deps.locks.tryRun, deps.config.cookies.prefix, () => renew(deps, seen));
  const outcome: RefreshOutcome = attempt.held ? (attempt.value as RefreshOutcome) : { kind: 'busy' };
  if (outcome.kind === 'refreshed') yield* put(sessionRefreshed(outcome.claims));
  return outcome;
}

async function renew(deps: RefreshDeps, seen: SeenSession): Promise<RefreshOutcome> {
  if (!stillHolds(deps, seen)) return { kind: 'overtaken' };
  // Asked again: it may have begun while this tab waited for the lock.
  if (pauseLeft(deps, seen.claims) > 0) return { kind: 'pausing' };
  try {
    const tokens = await deps.api.auth.refresh(seen.tokens.refresh);
    if (!stillHolds(deps, seen)) return { kind: 'overtaken' };
    const claims = decodeClaims(tokens.token);
    if (!claims) throw new ApiError('unexpected');
    if (claims.uid !== seen.claims.uid) {
      deps.log.warn('session refreshed for somebody else');
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
