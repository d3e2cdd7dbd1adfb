import { decodeClaims } from './claims.ts';
import {
  clearSession,
  parseJson,
  readSession,
  tokensOf,
  writeSession,
  type CookieJar,
  type HeldSession,
} from './cookies.ts';
import { createBrowserLocks } from './lease.ts';
import type { Notes } from './notes.ts';

/**
 * The result of one try:
 * - `waiting`: no call was made, because the browser is offline or the last one failed
 * - `busy`: another page holds the lock
 * - `overtaken`: the cookie changed meanwhile (another page refreshed or signed out); it wins
 * - `over`: the session has ended, and its cookies are removed
 * - `failed`: transport or service trouble; the token may still be good
 */
export type RefreshOutcome = 'refreshed' | 'waiting' | 'busy' | 'overtaken' | 'over' | 'failed';

/** A refresh call is given up after this time, ms. */
const limitMs = 10_000;

/** When copies of a call are sent within the grace period, ms, and how much of it must be left for one. */
const copiesAtMs: readonly number[] = [3000, 6000];
const arrivesWithinMs = 4000;
/** A timer more than this late, ms, means that the page was suspended: another one may have used the token since. */
const longestDelayMs = 1000;

interface RefreshOptions {
  readonly prefix: string;
  readonly serviceUrl: string;
  readonly refreshGraceSeconds?: number;
}

/** Refreshes the session under the lock of the family (docs/behaviour.md#refresh-call), if the cookie still holds this one. */
export function createRefresh(
  { prefix, serviceUrl, refreshGraceSeconds = 0 }: RefreshOptions,
  browser: Window & typeof globalThis,
  jar: CookieJar,
  notes: Notes,
): (seen: HeldSession) => Promise<RefreshOutcome> {
  const locks = createBrowserLocks(browser, jar);

  const renew = async (seen: HeldSession): Promise<RefreshOutcome> => {
    const isOvertaken = () => {
      const stored = readSession(jar, prefix);
      return stored.kind !== 'present' || stored.tokens.refresh !== seen.tokens.refresh;
    };
    if (isOvertaken()) return 'overtaken';
    // Checked again: the pause may have begun while this page waited for the lock.
    if (notes.isPausing(seen.claims)) return 'waiting';
    const answer = await ask(browser, serviceUrl, seen.tokens.refresh, refreshGraceSeconds * 1000);
    if (isOvertaken()) return 'overtaken';
    const { status = 0, retryAfterMs = 0, text = '' } = answer ?? {};
    const tokens = status >= 200 && status < 300 ? tokensOf(parseJson(text)) : null;
    const claims = tokens && decodeClaims(tokens.token);
    if (claims) {
      const isSameUser = claims.uid === seen.claims.uid && Object.keys(claims.personas).length > 0;
      if (isSameUser && writeSession(jar, prefix, tokens)) {
        notes.succeeded(claims);
        return 'refreshed';
      }
    } else if (status < 400 || status >= 500 || status === 408 || status === 429) {
      notes.failed(retryAfterMs);
      return 'failed';
    }
    clearSession(jar, prefix);
    return 'over';
  };

  return async (seen) => {
    if (!browser.navigator.onLine || notes.isPausing(seen.claims)) return 'waiting';
    const lock = await locks.tryRun(prefix, () => renew(seen));
    return lock.held ? lock.value : 'busy';
  };
}

interface Answer {
  readonly status: number;
  readonly retryAfterMs: number;
  readonly text: string;
}

/**
 * Makes the call, and within the grace period copies of it while no response has come; elsewhere a copy would look stolen.
 * `undefined`: no response within 10 s.
 */
async function ask(
  browser: Window & typeof globalThis,
  serviceUrl: string,
  refresh: string,
  graceMs: number,
): Promise<Answer | undefined> {
  const { performance } = browser;
  const [wall, steady] = [Date.now(), performance.now()];
  const passed = () => Math.max(Date.now() - wall, performance.now() - steady);
  const ends: (() => void)[] = [];
  let isOver = false;
  const send = async (startMs: number): Promise<Answer> => {
    if (startMs > 0) await new Promise((resolve) => void browser.setTimeout(resolve, startMs));
    if (isOver || passed() > startMs + longestDelayMs) throw new Error('not sent');
    const { signal, end } = endingAfter((startMs > 0 ? Math.min(limitMs, graceMs) : limitMs) - startMs);
    ends.push(end);
    const response = await post(browser, `${serviceUrl}/auth/v1/refresh`, refresh, signal);
    const retryAfterMs = Number(response.headers.get('Retry-After')) * 1000 || 0;
    return { status: response.status, retryAfterMs, text: await response.text() };
  };
  const endingAfter = (ms: number) => {
    const aborts = new AbortController();
    const timer = browser.setTimeout(() => aborts.abort(), ms);
    const end = () => {
      browser.clearTimeout(timer);
      aborts.abort();
    };
    return { signal: aborts.signal, end };
  };
  const copies = copiesAtMs.filter((startMs) => startMs + arrivesWithinMs <= graceMs);
  try {
    return await Promise.any([0, ...copies].map(send));
  } catch {
    return undefined;
  } finally {
    isOver = true;
    for (const end of ends) end();
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
    cache: 'no-store',
    keepalive: signal === null,
    signal,
  });
