import { ApiError } from '@shared/api/apiError';
import type { TokenPair } from '@shared/api/api';
import { call } from '@shared/sagas/call';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { decodeClaims, type Claims } from '../claims';
import { sessionRefreshed } from '../session.slice';
import { readSession, writeSession } from '../sessionCookies';
import { setTokenClock } from '../tokenClock';
import { beginPause, endPause, pauseLeft } from './backOff';
import type { RefreshDeps } from './refreshDeps';

/**
 * What came of one attempt:
 * - `offline`, `pausing`: none is to be made now
 * - `busy`: another tab holds the lock
 * - `overtaken`: the cookie changed meanwhile (another tab refreshed, or somebody signed out); it wins
 * - `refused`: the service said no, and the cookie is still the one that was sent; or the browser refused the new cookie,
 *   or the new token is another person's
 * - `failed`: transport or service trouble; the token may still be good, so it is tried again after a pause
 */
export type RefreshOutcome =
  | { readonly kind: 'refreshed'; readonly claims: Claims }
  | { readonly kind: 'offline' | 'pausing' | 'busy' | 'overtaken' | 'refused' | 'failed' };

/**
 * Renews the token under the lock that all tabs share: read the cookie again, call, and write only if the cookie is
 * still the one that was sent (decisions §8).
 *
 * @param seen - the tokens that the caller found due; if the cookie holds others by now, no call is made
 */
export function* refreshOnce(deps: RefreshDeps, seen: TokenPair): SagaGenerator<RefreshOutcome> {
  if (!deps.pageLife.isOnline()) return { kind: 'offline' };
  if (pauseLeft(deps) > 0) return { kind: 'pausing' };
  // One promise, not sagas, inside the lock: a cancelled saga must not leave it before the answer is dealt with.
  const attempt = yield* call(deps.locks.tryRun, deps.config.cookies.prefix, () => renew(deps, seen));
  const outcome: RefreshOutcome = attempt.held ? (attempt.value as RefreshOutcome) : { kind: 'busy' };
  if (outcome.kind === 'refreshed') yield* put(sessionRefreshed(outcome.claims));
  return outcome;
}

async function renew(deps: RefreshDeps, seen: TokenPair): Promise<RefreshOutcome> {
  if (!stillHolds(deps, seen)) return { kind: 'overtaken' };
  // Asked again: it may have begun while this tab waited for the lock.
  if (pauseLeft(deps) > 0) return { kind: 'pausing' };
  try {
    const tokens = await deps.api.auth.refresh(seen.refresh);
    if (!stillHolds(deps, seen)) return { kind: 'overtaken' };
    const claims = decodeClaims(tokens.token);
    if (!claims) throw new ApiError('unexpected');
    if (claims.uid !== decodeClaims(seen.token)?.uid) {
      deps.log.warn('session refreshed for somebody else');
      return { kind: 'refused' };
    }
    if (!writeSession(deps, tokens)) {
      deps.log.warn('session cookie refused by the browser');
      return { kind: 'refused' };
    }
    setTokenClock(deps, claims);
    endPause(deps);
    // Here, so that the parent hears of it also when the tab has turned to something else meanwhile.
    deps.parentFrame.tell('new_tokens');
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

/** A 4xx is the service's word, save for those that ask to come again (decisions §8). */
function isRefusal({ details: { status = 0 } }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function stillHolds(deps: RefreshDeps, seen: TokenPair): boolean {
  const stored = readSession(deps);
  return stored.kind === 'present' && stored.tokens.refresh === seen.refresh;
}
