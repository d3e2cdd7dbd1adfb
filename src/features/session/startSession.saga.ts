import type { TokenPair } from '@shared/api/api';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { decodeClaims, type Claims } from './claims';
import { endPause } from './refresh/endPause';
import { sessionStarted } from './session.slice';
import { clearSetup, writeSession } from './sessionCookies';
import { setTokenClock } from './tokenClock';

/**
 * What came of starting a session:
 * - `noPersonas`: the account reaches no application and cannot sign in (specification §4, login flow 5)
 * - `undecodable`: the answer's token is not one of ours; counts as a failed call
 * - `refusedCookie`: the browser did not keep the cookie (decisions §3)
 */
export type SessionStart =
  | { readonly kind: 'started'; readonly claims: Claims }
  | { readonly kind: 'noPersonas' | 'undecodable' | 'refusedCookie' };

/** Turns a token answer into a session: cookies written and read back, the parent told. */
export function* startSession(
  deps: Pick<Deps, 'clock' | 'cookies' | 'config' | 'notes' | 'parentFrame'>,
  tokens: TokenPair,
): SagaGenerator<SessionStart> {
  const claims = decodeClaims(tokens.token);
  if (!claims) return { kind: 'undecodable' };
  if (claims.personas.length === 0) return { kind: 'noPersonas' };
  const kept = yield* call(writeSession, deps, tokens);
  if (!kept) return { kind: 'refusedCookie' };
  yield* call(setTokenClock, deps, claims);
  yield* call(endPause, deps);
  yield* call(clearSetup, deps);
  yield* call(deps.parentFrame.tell, 'new_tokens');
  yield* put(sessionStarted(claims));
  return { kind: 'started', claims };
}
