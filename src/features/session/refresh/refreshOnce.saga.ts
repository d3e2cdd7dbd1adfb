import { ApiError } from '@shared/api/apiError';
import type { TokenPair } from '@shared/api/decoders';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { isOvertaken, judgeFailure, judgeToken, type RefreshResult } from '@vestibule/client/sessionRules';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { decodeClaims, type Claims } from '../claims';
import { sessionRefreshed } from '../session.slice';
import { readSession, type StoredSession } from '../sessionCookies';
import { writeSession } from '../signInCookies';
import { beginPause, endPause, pauseLeft } from './refreshTiming';
import { setTokenClock } from './tokenClock';

/** The result of one try to refresh. */
export type RefreshOutcome =
  | { readonly kind: 'refreshed'; readonly claims: Claims }
  | { readonly kind: Exclude<RefreshResult, 'refreshed'> };

/** A session that was read from the cookie. */
export type PresentSession = Extract<StoredSession, { readonly kind: 'present' }>;

/**
 * Refreshes the token under the lock that all tabs share (docs/behaviour.md#refresh-call).
 *
 * @param seen - the session that the caller found due; if the cookie has changed since, no call is made
 */
export function* refreshOnce(deps: Deps, seen: PresentSession): SagaGenerator<RefreshOutcome> {
  if (!deps.pageLife.isOnline()) return { kind: 'offline' };
  if (pauseLeft(deps, seen.claims) > 0) return { kind: 'pausing' };
  const outcome = yield* call(underLock, deps, () => renew(deps, seen));
  if (outcome.kind === 'refreshed') yield* put(sessionRefreshed(outcome.claims));
  return outcome;
}

/** Finds out under the lock whether an expired session may end. */
export function* confirmExpiry(deps: Deps, seen: PresentSession): SagaGenerator<RefreshOutcome> {
  return yield* call(underLock, deps, () =>
    Promise.resolve({ kind: isOvertaken(seen, readSession(deps)) ? 'overtaken' : 'expired' }),
  );
}

/** @param work - a promise, not a saga: a cancelled saga would release the lock before the response is handled */
async function underLock(
  { config, locks }: Deps,
  work: () => Promise<RefreshOutcome>,
): Promise<RefreshOutcome> {
  const lock = await locks.tryRun(config.cookies.prefix, work);
  return lock.held ? lock.value : { kind: 'busy' };
}

async function renew(deps: Deps, seen: PresentSession): Promise<RefreshOutcome> {
  if (isOvertaken(seen, readSession(deps))) return { kind: 'overtaken' };
  // The pause is checked again, because it may have begun while this tab waited for the lock.
  if (pauseLeft(deps, seen.claims) > 0) return { kind: 'pausing' };
  const answer = await ask(deps, seen.tokens.refresh);
  if (isOvertaken(seen, readSession(deps))) return { kind: 'overtaken' };
  if (answer instanceof ApiError) {
    const { kind, details } = answer;
    const { status = 0 } = details;
    deps.log.warn('session refresh failed', { kind, status });
    const verdict = judgeFailure(status);
    if (verdict === 'failed') beginPause(deps, details);
    return { kind: verdict };
  }
  const verdict = judgeToken(seen, answer.claims);
  if (verdict === 'refused') deps.log.warn('session refreshed for another user');
  if (verdict !== 'refreshed') return { kind: verdict };
  if (!writeSession(deps, answer.tokens)) {
    deps.log.warn('session cookie refused by the browser');
    return { kind: 'refused' };
  }
  setTokenClock(deps, answer.claims);
  endPause(deps);
  return { kind: verdict, claims: answer.claims };
}

/** A token that cannot be decoded counts as a failed call. */
async function ask(
  { api }: Deps,
  refresh: string,
): Promise<ApiError | { readonly tokens: TokenPair; readonly claims: Claims }> {
  try {
    const tokens = await api.auth.refresh(refresh);
    const claims = decodeClaims(tokens.token);
    return claims ? { tokens, claims } : new ApiError('unexpected');
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
