import { decodeClaims, hasPersonas } from './claims.ts';
import {
  clearSession,
  readSession,
  tokensOf,
  writeSession,
  type CookieJar,
  type HeldSession,
} from './cookies.ts';
import { createBrowserLocks } from './lease.ts';
import type { Notes } from './notes.ts';

/** A refresh call is given up after this time, ms. */
const limitMs = 10_000;

/** When the call is sent, ms after its beginning: again only if a service accepts a spent token for as long as the call may take. */
const sentAtMs: readonly number[] = [0, 3000, 6000];
/** A timer more than this late, ms, means that the page was suspended: another one may have used the token since. */
const longestDelayMs = 1000;

interface RefreshOptions {
  readonly prefix: string;
  readonly serviceUrl: string;
  readonly refreshGraceSeconds?: number;
}

/**
 * Refreshes the session under the lock of the family (docs/behaviour.md#refresh-call), if the cookie still holds this one. What
 * came of it is in the cookie: another session, none if the service refused, or still the same.
 *
 * @returns `false`: another page holds the lock
 */
export function createRefresh(
  { prefix, serviceUrl, refreshGraceSeconds = 0 }: RefreshOptions,
  browser: Window & typeof globalThis,
  jar: CookieJar,
  notes: Notes,
): (seen: HeldSession) => Promise<boolean> {
  const locks = createBrowserLocks(browser, jar);

  const renew = async (seen: HeldSession): Promise<void> => {
    const isOvertaken = () => {
      const stored = readSession(jar, prefix);
      return stored.kind !== 'present' || stored.tokens.refresh !== seen.tokens.refresh;
    };
    // The pause may have begun while this page waited for the lock.
    if (isOvertaken() || notes.isPausing(seen.claims)) return;
    const answer = await ask(browser, serviceUrl, seen.tokens.refresh, refreshGraceSeconds * 1000);
    // A sign-out wins, and so does the refresh of a page that took the lease over.
    if (isOvertaken()) return;
    const { status = 0, retryAfterMs = 0, body } = answer ?? {};
    const tokens = status >= 200 && status < 300 ? tokensOf(body) : null;
    const claims = tokens && decodeClaims(tokens.token);
    if (claims) {
      const isSameUser = claims.uid === seen.claims.uid && hasPersonas(claims);
      if (isSameUser && writeSession(jar, prefix, tokens)) notes.succeeded(claims);
      else clearSession(jar, prefix);
    } else if (status >= 400 && status < 500 && status !== 408 && status !== 429) clearSession(jar, prefix);
    else notes.failed(retryAfterMs);
  };

  return async (seen) => {
    if (!browser.navigator.onLine || notes.isPausing(seen.claims)) return true;
    return (await locks.tryRun(prefix, () => renew(seen))).held;
  };
}

interface Answer {
  readonly status: number;
  readonly retryAfterMs: number;
  readonly body: unknown;
}

/**
 * Makes the call, and within a grace period again while there is no response; elsewhere a copy would look stolen.
 * `undefined`: no response within 10 s.
 */
async function ask(
  browser: Window & typeof globalThis,
  serviceUrl: string,
  refresh: string,
  graceMs: number,
): Promise<Answer | undefined> {
  const beganAt = Date.now();
  const aborts = new AbortController();
  const { signal } = aborts;
  const timer = browser.setTimeout(() => aborts.abort(), limitMs);
  const send = async (startMs: number): Promise<Answer> => {
    if (startMs > 0) await new Promise((resolve) => void browser.setTimeout(resolve, startMs));
    if (signal.aborted || Math.abs(Date.now() - beganAt - startMs) > longestDelayMs) throw new Error();
    const response = await post(browser, `${serviceUrl}/auth/v1/refresh`, refresh, signal);
    const retryAfterMs = Number(response.headers.get('Retry-After')) * 1000 || 0;
    return { status: response.status, retryAfterMs, body: await response.json().catch(() => null) };
  };
  try {
    return await Promise.any(sentAtMs.slice(0, graceMs < limitMs ? 1 : 3).map(send));
  } catch {
    return undefined;
  } finally {
    browser.clearTimeout(timer);
    aborts.abort();
  }
}

/** Sends a refresh token to the service. Without a signal, the call goes on when the page is left. */
export const post = (
  browser: Window & typeof globalThis,
  url: string,
  refresh: string,
  signal: AbortSignal | null = null,
): Promise<Response> =>
  browser.fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refresh }),
    credentials: 'omit',
    redirect: 'error',
    keepalive: signal === null,
    signal,
  });
