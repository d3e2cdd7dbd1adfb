import { decodeClaims, hasPersonas } from './claims.ts';
import { tokensOf, writeSession, type CookieJar, type HeldSession, type TokenPair } from './cookies.ts';
import { createBrowserLocks, pause } from './lease.ts';
import { pauseAfter, pauseKey, pauseLeft } from './refreshTiming.ts';
import type { TextStorage } from './textStorage.ts';
import { skewBy, skewKey } from './tokenClock.ts';

/** A refresh call is given up after this time, ms. */
const limitMs = 10_000;

/** When the call is sent, ms after its beginning. Copies are sent only if the grace period lasts as long as a call. */
const sentAtMs: readonly number[] = [0, 3000, 6000];
/** A timer more than this late, ms, means that the page was suspended: another one may have used the token since. */
const longestDelayMs = 1000;

interface RefreshOptions {
  readonly prefix: string;
  readonly serviceUrl: string;
  readonly refreshGraceSeconds?: number;
}

/** The session in the cookie. */
export type Held = TokenPair & Pick<HeldSession, 'claims'>;

type Browser = Window & typeof globalThis;

/** A response and its body. `[]`: there was no response within 10 s. */
type Received = readonly [response?: Response, body?: unknown];

/**
 * Refreshes the session under the lock of the family (docs/behaviour.md#refresh-call), if the cookie still holds this one. The
 * result is in the cookie: the new session, none after a refusal, or the old one.
 *
 * @param held - reads the cookie
 * @param clear - removes it
 * @param tokenNow - the time by the service's clock
 * @returns `false`: another page holds the lock
 */
export function createRefresh(
  options: RefreshOptions,
  browser: Browser,
  jar: CookieJar,
  { read, write }: TextStorage,
  held: () => Held | null,
  clear: () => void,
  tokenNow: () => number,
): (seen: Held) => Promise<boolean> {
  const { prefix, refreshGraceSeconds = 0 } = options;
  const locks = createBrowserLocks(browser, jar);

  /** Makes the call. Within a grace period it sends copies while there is no response; elsewhere a copy would look stolen. */
  const ask = async (refresh: string): Promise<Received> => {
    const beganAt = Date.now();
    const aborts = new AbortController();
    const { signal } = aborts;
    browser.setTimeout(() => aborts.abort(), limitMs);
    const send = async (startMs: number): Promise<Received> => {
      if (startMs) await pause(browser, startMs);
      if (signal.aborted || Math.abs(Date.now() - beganAt - startMs) > longestDelayMs) throw new Error();
      const response = await post(browser, options, 'refresh', refresh, signal);
      return [response, await response.json().catch(() => null)];
    };
    try {
      return await Promise.any(sentAtMs.slice(0, refreshGraceSeconds < limitMs / 1000 ? 1 : 3).map(send));
    } catch {
      return [];
    } finally {
      aborts.abort();
    }
  };

  const isPausing = ({ claims }: Held) => pauseLeft(read(pauseKey), claims, Date.now(), tokenNow(), true) > 0;

  const renew = async (seen: Held): Promise<void> => {
    const isOvertaken = () => held()?.refresh !== seen.refresh;
    // The pause may have begun while this page waited for the lock.
    if (isOvertaken() || isPausing(seen)) return;
    const [response, body] = await ask(seen.refresh);
    // A sign-out wins, and so does the refresh of a page that took the lease over.
    if (isOvertaken()) return;
    const tokens = response?.ok ? tokensOf(body) : null;
    const claims = tokens && decodeClaims(tokens.token);
    if (claims) {
      const isSameUser = claims.uid === seen.claims.uid && hasPersonas(claims);
      if (isSameUser && writeSession(jar, prefix, tokens)) {
        write(skewKey, skewBy(claims, Date.now()));
        write(pauseKey, '');
      } else clear();
    } else if (/^4(?!08|29)/.test(String(response?.status))) clear();
    else {
      const retryAfterMs = Number(response?.headers.get('Retry-After')) * 1000 || 0;
      write(pauseKey, pauseAfter(read(pauseKey), Date.now(), retryAfterMs, Math.random()));
    }
  };

  return async (seen) => {
    if (!browser.navigator.onLine || isPausing(seen)) return true;
    return (await locks.tryRun(prefix, () => renew(seen))).held;
  };
}

/** Sends a refresh token to the service. Without a signal, the call goes on when the page is left. */
export const post = (
  browser: Browser,
  { serviceUrl }: Pick<RefreshOptions, 'serviceUrl'>,
  call: 'refresh' | 'revoke',
  refresh: string,
  signal: AbortSignal | null = null,
): Promise<Response> =>
  browser.fetch(`${serviceUrl.replace(/\/$/, '')}/auth/v1/${call}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refresh }),
    credentials: 'omit',
    redirect: 'error',
    keepalive: !signal,
    signal,
  });
