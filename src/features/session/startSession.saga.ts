import type { TokenPair } from '@shared/api/api';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { decodeClaims, type Claims } from './claims';
import { keepCookies } from './keepCookies.saga';
import { takeMagicLinks } from './leave/magicLinkCookies';
import { heldTokens, revoke } from './leave/revoke';
import { endPause } from './refresh/endPause';
import { sessionStarted } from './session.slice';
import { clearSetup } from './sessionCookies';
import { setTokenClock } from './tokenClock';
import { writeSession } from './writeCookies';

/**
 * What came of starting a session:
 * - `noPersonas`: the account reaches no application and cannot sign in (specification §4, login flow 5)
 * - `undecodable`: the answer's token is not one of ours; counts as a failed call
 * - `refusedCookie`: the browser did not keep the cookie (decisions §3)
 * - `blockedCookie`: a sibling host's copy stands in its place, and the host could not expire it
 */
export type SessionStart =
  | { readonly kind: 'started'; readonly claims: Claims }
  | { readonly kind: 'noPersonas' | 'undecodable' | 'refusedCookie' | 'blockedCookie' };

/**
 * Turns a token answer into a session: cookies written and read back, the parent told. The session that it takes the place
 * of is over, and so are the magic links of other people.
 */
export function* startSession(
  deps: Pick<Deps, 'api' | 'clock' | 'cookies' | 'config' | 'expireSessionCookies' | 'notes' | 'parentFrame'>,
  tokens: TokenPair,
): SagaGenerator<SessionStart> {
  const claims = decodeClaims(tokens.token);
  if (!claims) return { kind: 'undecodable' };
  if (claims.personas.length === 0) return { kind: 'noPersonas' };
  const replaced = heldTokens(deps, tokens.refresh);
  const kept = yield* call(keepCookies, deps, ['session', 'refresh'], () => writeSession(deps, tokens));
  if (kept !== 'kept') return { kind: `${kept}Cookie` };
  yield* call(setTokenClock, deps, claims);
  yield* call(endPause, deps);
  yield* call(clearSetup, deps);
  yield* call(revoke, deps, [...replaced, ...takeMagicLinks(deps, claims.uid)]);
  yield* call(deps.parentFrame.tell, 'new_tokens');
  yield* put(sessionStarted(claims));
  return { kind: 'started', claims };
}
