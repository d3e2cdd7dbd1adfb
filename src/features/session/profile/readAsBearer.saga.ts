import type { ApiError } from '@shared/api/apiError';
import { attempt, type Attempt, bearerRefused } from '@shared/sagas/attempt.saga';
import { delay, put, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Claims } from '../claims';
import { isYoung } from '../refresh/halfLife';
import { sessionAdopted, sessionEnded, sessionRefreshed } from '../session.slice';
import { readSession, readSetup, type CookieDeps } from '../sessionCookies';
import { tokenNow, type TokenClockDeps } from '../tokenClock';

/** The bearer of specification §7: the session's token, or in setup mode the `mfaToken` (decisions §2). */
export interface Bearer {
  readonly token: string;
  readonly uid: string;
  /** Seconds since the epoch. */
  readonly iat: number;
}

/** How long to wait for another token, ms: a refresh is given up after 10 s. */
const renewalMs = 12_000;

/** Who calls; `null`: nobody is signed in. */
export function readBearer(deps: CookieDeps): Bearer | null {
  const stored = readSession(deps);
  if (stored.kind === 'present') return bearerOf(stored.tokens.token, stored.claims);
  const setup = readSetup(deps);
  return setup && bearerOf(setup.mfaToken, setup.claims);
}

const bearerOf = (token: string, { uid, iat }: Claims): Bearer => ({ token, uid, iat });

/**
 * Reads something of the person who is here. A 401 has the token renewed, and the call is made once more: reading again
 * harms nobody. Calls that do something are not repeated; they fail in their screen's words, and the next press works.
 *
 * @returns `null`: nobody is signed in
 */
export function* readAsBearer<T>(
  deps: CookieDeps & TokenClockDeps,
  read: (token: string, uid: string) => Promise<T>,
): SagaGenerator<Attempt<T> | null> {
  const bearer = readBearer(deps);
  if (!bearer) return null;
  const first = yield* attempt(read, bearer.token, bearer.uid);
  if (first.ok || !isRefused(first.error)) return first;
  // A service that does not name its errors: on a call that proves nothing, 401 is about the bearer.
  if (first.error.details.serverCode !== 'unauthorized') yield* put(bearerRefused());
  if (!isYoung(bearer, tokenNow(deps)) && readBearer(deps)?.token === bearer.token) {
    yield* race({
      renewed: take([sessionRefreshed, sessionAdopted]),
      over: take(sessionEnded),
      tooLate: delay(renewalMs),
    });
  }
  const renewed = readBearer(deps);
  if (renewed?.uid !== bearer.uid || renewed.token === bearer.token) return first;
  return yield* attempt(read, renewed.token, renewed.uid);
}

const isRefused = ({ details: { status } }: ApiError): boolean => status === 401;
