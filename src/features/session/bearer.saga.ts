import type { ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import { callApi, bearerRefused, type ApiResult } from '@shared/sagas/callApi.saga';
import { isYoung } from '@vestibule/client/refreshTiming';
import { delay, put, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Claims } from './claims';
import { tokenNow } from './refresh/tokenClock';
import { sessionAdopted, sessionEnded, sessionRefreshed } from './session.slice';
import { readSession, readSetup } from './sessionCookies';

/** The session's token, or in setup mode the `mfaToken` (docs/behaviour.md#service-contract). */
export interface Bearer {
  readonly token: string;
  readonly uid: string;
  /** Seconds since the epoch. */
  readonly iat: number;
}

/** Reads the bearer; `null` without a session or setup mode. */
export function readBearer(deps: Deps): Bearer | null {
  const stored = readSession(deps);
  if (stored.kind === 'present') return bearerOf(stored.tokens.token, stored.claims);
  const setup = readSetup(deps);
  return setup && bearerOf(setup.mfaToken, setup.claims);
}

const bearerOf = (token: string, { uid, iat }: Claims): Bearer => ({ token, uid, iat });

/** How long to wait for a new token, ms: a refresh is given up after 10 s. */
const renewalMs = 12_000;

/**
 * Makes a GET call for the signed-in user. After a 401 the token is refreshed and the call is made once more
 * (docs/behaviour.md#a-bearer-that-is-refused).
 *
 * @returns `null`: not signed in
 */
export function* readAsBearer<T>(
  deps: Deps,
  read: (token: string, uid: string) => Promise<T>,
): SagaGenerator<ApiResult<T> | null> {
  const bearer = readBearer(deps);
  if (!bearer) return null;
  const first = yield* callApi(read, bearer.token, bearer.uid);
  if (first.ok || !isUnauthorised(first.error)) return first;
  // For the code `unauthorized`, `callApi` has already dispatched `bearerRefused`. A 401 of a GET without a code is about the
  // bearer, too.
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
  return yield* callApi(read, renewed.token, renewed.uid);
}

const isUnauthorised = ({ details: { status } }: ApiError): boolean => status === 401;
