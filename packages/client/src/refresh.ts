import { decodeClaims } from './claims.ts';
import {
  readSession,
  tokensOf,
  writeSession,
  type CookieJar,
  type PresentSession,
  type StoredSession,
} from './cookies.ts';
import { hedgedRequest } from './hedgedRequest.ts';
import { createBrowserLocks, createClock } from './lease.ts';
import { pauseAfter, pauseKey, pauseLeft, retryAfterMs } from './refreshTiming.ts';
import { isOvertaken, judgeFailure, judgeToken, type RefreshResult } from './sessionRules.ts';
import type { TextStorage } from './textStorage.ts';
import { skewBy, skewKey, type TokenClock } from './tokenClock.ts';

interface RefreshOptions {
  readonly prefix: string;
  readonly serviceUrl: string;
  readonly refreshGraceSeconds?: number;
}

type Browser = Window & typeof globalThis;

/** A response and its body. */
type Received = readonly [response: Response, body: unknown];

/**
 * Refreshes a session under the lock of the family (docs/behaviour.md#refresh-call), if the cookie still holds it. Then the
 * cookie holds the new session. For an expired session it only takes the lock, under which the session may end.
 *
 * @param clock - the clock that tokens are compared with
 */
export function createRefresh(
  options: RefreshOptions,
  browser: Browser,
  jar: CookieJar,
  { read, write }: TextStorage,
  clock: () => TokenClock,
): (seen: PresentSession, isExpired: boolean) => Promise<RefreshResult> {
  const { prefix, refreshGraceSeconds = 0 } = options;
  const locks = createBrowserLocks(browser, jar);
  const stored = (): StoredSession => readSession(jar, prefix);

  const ask = (refresh: string): Promise<Received> =>
    hedgedRequest(
      async ({ timeoutMs, signal }) => {
        const ends = new AbortController();
        browser.setTimeout(() => ends.abort(), timeoutMs);
        const either = AbortSignal.any([signal, ends.signal]);
        const response = await post(browser, options, 'refresh', refresh, either);
        return [response, await response.json().catch(() => null)];
      },
      createClock(browser),
      refreshGraceSeconds * 1000,
    );

  const isPausing = ({ claims }: PresentSession) =>
    pauseLeft(read(pauseKey), claims, Date.now(), clock().now) > 0;

  const renew = async (seen: PresentSession, isExpired: boolean): Promise<RefreshResult> => {
    if (isOvertaken(seen, stored())) return 'overtaken';
    if (isExpired) return 'expired';
    // The pause may have begun while this page waited for the lock.
    if (isPausing(seen)) return 'pausing';
    const [response, body] = await ask(seen.tokens.refresh).catch((): Partial<Received> => []);
    if (isOvertaken(seen, stored())) return 'overtaken';
    const tokens = response?.ok ? tokensOf(body) : null;
    const claims = tokens && decodeClaims(tokens.token);
    const verdict = claims ? judgeToken(seen, claims) : judgeFailure(response?.status ?? 0);
    if (claims && verdict === 'refreshed') {
      if (!writeSession(jar, prefix, tokens)) return 'refused';
      write(skewKey, skewBy(claims, Date.now()));
      write(pauseKey, '');
    }
    if (verdict === 'failed') {
      const now = Date.now();
      const waitMs = retryAfterMs(response?.headers.get('Retry-After'), now);
      write(pauseKey, pauseAfter(read(pauseKey), now, waitMs, Math.random()));
    }
    return verdict;
  };

  return async (seen, isExpired) => {
    if (!browser.navigator.onLine) return 'offline';
    if (isPausing(seen)) return 'pausing';
    const lock = await locks.tryRun(prefix, () => renew(seen, isExpired));
    return lock.held ? lock.value : 'busy';
  };
}

/** Sends a refresh token to the service. Without a signal, the call continues when the page is left. */
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
