import type { ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import type { Claims } from '../claims';
import { readSession, type CookieDeps, type StoredSession } from '../sessionCookies';

/* The timing of refreshes: how often the cookies are read, by which clock, and how long a failed refresh makes all tabs wait. */

/** Time between two polls, ms. */
export const pollEveryMs = 5000;

/** Time between two polls of a page that waits for another one's refresh, ms. */
export const pollSoonMs = 300;

/** A longer time between two polls is lost time, ms: the computer slept, or its clock was set. A call takes 10 s at most. */
export const longestGapMs = 20_000;

/** Smaller skews are ignored, ms: answers take time, and `iat` is in whole seconds (docs/behaviour.md#clock-skew). */
const toleranceMs = 5000;

/** How far this browser's clock is ahead of the service's, ms. CookieWrite for the next page and the other tabs of this host. */
const skewNote = 'clock-skew';

/** What `tokenNow` needs. */
export type TokenClockDeps = Pick<Deps, 'clock' | 'storage'>;

/** The time to compare tokens with, ms since the epoch: the service's, as far as it is known. */
export function tokenNow(deps: TokenClockDeps): number {
  return deps.clock.now() - skewOf(deps);
}

/** Converts a time of the service to this browser's clock; both in ms since the epoch. */
export function asLocalTime(deps: Pick<Deps, 'storage'>, ms: number): number {
  return ms + skewOf(deps);
}

/** Measures the skew by a token that has just been issued. */
export function setTokenClock({ clock, storage }: TokenClockDeps, { iat }: Pick<Claims, 'iat'>): void {
  const skew = clock.now() - iat * 1000;
  storage.browser.write(skewNote, String(Math.abs(skew) < toleranceMs ? 0 : skew));
}

/**
 * The clock may have been corrected since the skew was measured. When a page opens, the skew is dropped if with it the token
 * was issued in the future, or if the token is valid only without it.
 */
export function dropWrongSkew(deps: TokenClockDeps, { iat, exp }: Pick<Claims, 'iat' | 'exp'>): void {
  const from = iat * 1000 - toleranceMs;
  const isValidAt = (ms: number) => from <= ms && ms < exp * 1000;
  const now = tokenNow(deps);
  if (now < from || (!isValidAt(now) && isValidAt(deps.clock.now())))
    deps.storage.browser.write(skewNote, null);
}

function skewOf({ storage }: Pick<Deps, 'storage'>): number {
  const skew = Number(storage.browser.read(skewNote));
  return Number.isFinite(skew) ? skew : 0;
}

/** Whether the token has expired; `nowMs` in ms since the epoch. */
export function isExpired({ exp }: Pick<Claims, 'exp'>, nowMs: number): boolean {
  return nowMs >= exp * 1000;
}

/** Whether the token seems to have expired. Without a measured skew this is the word of the browser's clock alone. */
export function seemsExpired(deps: TokenClockDeps, claims: Pick<Claims, 'exp'>): boolean {
  return isExpired(claims, tokenNow(deps));
}

/**
 * Whether the token has expired by a clock that has been compared with the service's on this host. Only then may a session be
 * cleared without asking the service (docs/behaviour.md#clock-skew).
 */
export function hasExpired(deps: TokenClockDeps, claims: Pick<Claims, 'exp'>): boolean {
  return deps.storage.browser.read(skewNote) !== null && seemsExpired(deps, claims);
}

/** The session, if it seems expired and the browser's clock has not been compared with the service's on this host. */
export function readUnsure(
  deps: TokenClockDeps & CookieDeps,
): Extract<StoredSession, { readonly kind: 'present' }> | null {
  const stored = readSession(deps);
  const isUnsure =
    stored.kind === 'present' && seemsExpired(deps, stored.claims) && !hasExpired(deps, stored.claims);
  return isUnsure ? stored : null;
}

/** Renewing a token that is refused this soon after its issue would not help, ms. */
const youngMs = 10_000;

/** Whether the token has just been issued. */
export function isYoung({ iat }: Pick<Claims, 'iat'>, nowMs: number): boolean {
  return nowMs < iat * 1000 + youngMs;
}

/**
 * Whether the token is past its half-life (docs/behaviour.md#refresh-polling). A token issued in the future is due as well:
 * the clock was set back, and only a new token can tell by how much.
 */
export function isRefreshDue({ iat, exp }: Pick<Claims, 'iat' | 'exp'>, nowMs: number): boolean {
  return nowMs >= (iat + (exp - iat) / 2) * 1000 || nowMs <= iat * 1000 - toleranceMs;
}

/** Shared by all tabs: if each waited on its own, fifty tabs would cause fifty times the load. */
const pauseNote = 'refresh-pause';

/** The first wait and the longest, ms. The first is short: a gateway may have failed after the service had answered. */
const firstMs = 2000;
const longestMs = 60_000;

/**
 * When the last try is made, ms before the token expires: a call may take 10 s, and an answer after the expiry finds the session
 * cleared. For a token with a very short life, a quarter of it.
 */
const lastTryMs = 15_000;

/** Failures in a row, the time of the last one, and until when to wait, ms since the epoch. */
interface Pause {
  readonly failures: number;
  readonly since: number;
  readonly until: number;
}

/** How long to wait after this many failures in a row, ms: doubled each time, half of it random. */
function waitAfter(failures: number, retryAfterMs: number, random: number): number {
  const longest = Math.min(longestMs, firstMs * 2 ** (failures - 1));
  return Math.max(retryAfterMs, longest * (0.5 + random / 2));
}

/**
 * How long to wait before the next try, ms; 0: try now. A wait that would leave no try before the token expires is cut short for
 * one last try. If that fails as well, the wait is kept in full.
 */
export function pauseLeft(deps: TokenClockDeps, claims: Pick<Claims, 'iat' | 'exp'>): number {
  const { since, until } = readPause(deps);
  const now = deps.clock.now();
  // The token has expired: a tab that lost time makes its one try. Or the clock was set back since the failed try.
  if (seemsExpired(deps, claims) || now < since) return 0;
  const { iat, exp } = claims;
  const lastTryAt = asLocalTime(deps, exp * 1000) - Math.min(lastTryMs, ((exp - iat) * 1000) / 4);
  const cutShort = Math.min(until, Math.max(lastTryAt, since + firstMs));
  return Math.max(0, (since < lastTryAt ? cutShort : until) - now);
}

/** After a failed try: makes all tabs wait. */
export function beginPause(
  deps: Pick<Deps, 'clock' | 'storage' | 'random'>,
  details: ApiError['details'] = {},
): void {
  const failures = readPause(deps).failures + 1;
  const since = deps.clock.now();
  const until = since + waitAfter(failures, details.retryAfterMs ?? 0, deps.random());
  deps.storage.browser.write(pauseNote, `${failures} ${since} ${until}`);
}

/** After a refresh or a sign-in that succeeded. */
export function endPause({ storage }: Pick<Deps, 'storage'>): void {
  storage.browser.write(pauseNote, null);
}

function readPause({ storage }: Pick<Deps, 'storage'>): Pause {
  const [failures = 0, since = 0, until = 0] = (storage.browser.read(pauseNote) ?? '').split(' ').map(Number);
  return Number.isFinite(failures + since + until)
    ? { failures, since, until }
    : { failures: 0, since: 0, until: 0 };
}
