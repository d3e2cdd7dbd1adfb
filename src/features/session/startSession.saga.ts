import type { TokenPair } from '@shared/api/decoders';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { decodeClaims, type Claims } from './claims';
import { endAtService, storedTokens } from './endSession.saga';
import { dropOldMagicLinks, takeMagicLinks } from './magicLinkCookies';
import { writeVerifiedCookies } from './writeVerifiedCookies.saga';
import { endPause } from './refresh/refreshTiming';
import { setTokenClock } from './refresh/tokenClock';
import { sessionStarted } from './session.slice';
import { clearSetup } from './sessionCookies';
import { largeSessionBytes, writeSession } from './signInCookies';

/**
 * The result of starting a session:
 * - `noPersonas`: the user has access to no application and cannot sign in
 * - `undecodable`: the response's token is not one of the service; counts as a failed call
 * - `refusedCookie`: the browser did not keep the cookie
 * - `blockedCookie`: a sibling host's cookie holds the name, and the host could not expire it
 */
export type SessionStart =
  | { readonly kind: 'started'; readonly claims: Claims }
  | { readonly kind: 'noPersonas' | 'undecodable' | 'refusedCookie' | 'blockedCookie' };

/** Turns a token response into a session (docs/behaviour.md#start-of-a-session). */
export function* startSession(deps: Deps, tokens: TokenPair): SagaGenerator<SessionStart> {
  const claims = decodeClaims(tokens.token);
  if (!claims) return { kind: 'undecodable' };
  if (claims.personas.length === 0) return { kind: 'noPersonas' };
  const replaced = storedTokens(deps, tokens.refresh);
  const kept = yield* call(writeVerifiedCookies, deps, ['session', 'refresh'], () =>
    writeSession(deps, tokens),
  );
  if (kept !== 'kept') return { kind: `${kept}Cookie` };
  const bytes = largeSessionBytes(deps);
  if (bytes !== null) yield* call(deps.log.warn, 'session cookie near the limit of browsers', { bytes });
  yield* call(setTokenClock, deps, claims);
  yield* call(endPause, deps);
  yield* call(clearSetup, deps);
  yield* call(endAtService, deps, [...replaced, ...takeMagicLinks(deps, claims.uid)]);
  yield* call(dropOldMagicLinks, deps);
  yield* call(deps.parentFrame.notify, 'new_tokens');
  yield* put(sessionStarted(claims));
  return { kind: 'started', claims };
}
