import type { Claims } from './claims.ts';
import {
  clearSession,
  createCookieJar,
  readSession,
  type CookieOptions,
  type PresentSession,
} from './cookies.ts';
import type { EndReason } from './eventRules.ts';
import { isAt, mustBeAt } from './isAt.ts';
import { leaseMs, pause } from './lease.ts';
import { createRefresh, post } from './refresh.ts';
import { pollEveryMs, pollSoonMs } from './refreshLimits.ts';
import { decideAfter, decidePoll, isOvertaken, missesRefresh, type Doubt } from './sessionRules.ts';
import { createTextStorage } from './textStorage.ts';
import { hasExpired, isExpired, isWrongSkew, skewKey, tokenClock } from './tokenClock.ts';
import { tryOrNull } from './tryOrNull.ts';

/** What has changed: a user signed in, the token was replaced, the session ended, or another user's session replaced it. */
export type SessionEvent = 'signed-in' | 'refreshed' | 'signed-out' | 'user-changed';

/** Called after each change. An error that it throws is reported as uncaught. */
export type SessionListener = (event: SessionEvent, reason?: EndReason) => void;

/** The deployment, as in the configuration of the sign-on page, and what this application may do. */
export interface SessionOptions extends CookieOptions {
  /** Base address of the sign-on service. Its CORS settings must list the origin of this application. */
  readonly serviceUrl: string;
  /** Origin of the sign-on page. */
  readonly signOnUrl: string;
  /** Origins, besides the service's, to which `fetch` sends the token. */
  readonly apiOrigins?: readonly string[];
  /** Origins, besides this application's, to which a sign-in may return. */
  readonly returnOrigins?: readonly string[];
  /** The grace period of the service, seconds. Absent or below 7: a refresh call is never repeated. */
  readonly refreshGraceSeconds?: number;
  /**
   * Extensions of the service. With `revoke`, a sign-out also ends the session at the service. With `events`, a session that ends
   * at the service ends here within 2 s.
   */
  readonly extensions?: readonly string[];
}

/** The shared session, as seen from this page. All functions may be passed on without their object. */
export interface Session {
  /** The signed-in user; `null`: no user is signed in. The same object until something changes. */
  readonly current: () => Claims | null;
  /**
   * A valid access token. It is refreshed first if half of its life has passed; if that fails, the old one is returned while it
   * is valid. `null`: no user is signed in, or the token has expired and no refresh is possible, because the browser is offline
   * or the service is out of reach.
   */
  readonly token: () => Promise<string | null>;
  /**
   * Reports changes, and keeps the session fresh while it has a listener. Returns the function that unsubscribes.
   *
   * @param listener - gets the reason of the end if the service announced it; in a second `signed-out` if the cookies were removed
   *   first
   */
  readonly subscribe: (listener: SessionListener) => () => void;
  /**
   * Goes to the sign-on page, which returns to `returnTo` (default: this address).
   *
   * @throws TypeError if `returnTo` leads to another site
   */
  readonly signIn: (options?: { readonly returnTo?: string | URL }) => void;
  /** Signs out the whole family. */
  readonly signOut: () => void;
  /**
   * `fetch` with the access token as bearer, but only to the service and `apiOrigins`. After a 401 the call is sent
   * once more, with a token of the same user that has been replaced meanwhile or is refreshed now.
   */
  readonly fetch: typeof fetch;
  /** Stops listening and refreshing. */
  readonly close: () => void;
}

type Browser = Window & typeof globalThis;

/** @param browser - the window, for tests */
export function createSession(options: SessionOptions, browser: Browser = window): Session {
  const { prefix, extensions } = options;
  const jar = createCookieJar(browser, options);
  const storage = createTextStorage(browser, prefix);
  const clock = () => tokenClock(storage.read(skewKey), Date.now());
  const stored = () => readSession(jar, prefix);
  const present = () => {
    const session = stored();
    return session.kind === 'present' ? session : null;
  };
  const clear = () => clearSession(jar, prefix);
  const refresh = createRefresh(options, browser, jar, storage, clock);

  const listeners = new Set<readonly [SessionListener]>();
  /** Informs the live events about a change when they are loaded. */
  let changed: (() => void) | undefined;
  let stop: (() => void) | undefined;
  /** The refresh in progress. */
  let running: Promise<void> | undefined;
  /** What `current` returned last, and what the listeners were given last. */
  let shown: PresentSession | null = null;
  let reported: Claims | null = null;

  let polledAt = Date.now();
  let hasMissed = false;

  const opened = present();
  if (opened && isWrongSkew(storage.read(skewKey), opened.claims, polledAt)) storage.write(skewKey, '');

  const isPast = (claims: Claims) => hasExpired(claims, clock());

  const current = (): Claims | null => {
    const session = present();
    // An expired session that was shown is over once a poll has removed it, because it may still be refreshed.
    if (!session || (shown?.claims.uid !== session.claims.uid && isPast(session.claims))) shown = null;
    else if (shown?.tokens.token !== session.tokens.token) shown = session;
    return shown?.claims ?? null;
  };

  /** @param reason - why the session has ended, if it has */
  const tell = (reason?: EndReason) => {
    const before = reported;
    reported = current();
    if (reported === before && (reported || !reason)) return;
    const event = changeOf(before, reported);
    for (const [listener] of [...listeners])
      try {
        listener(event, reported ? undefined : reason);
      } catch (error) {
        browser.reportError(error);
      }
    changed?.();
  };

  const renewOnce = async (doubt?: Doubt): Promise<void> => {
    // Another page may hold the lock for as long as a lease lasts.
    for (let waitedMs = 0; waitedMs <= leaseMs; waitedMs += pollSoonMs) {
      const session = stored();
      if (session.kind !== 'present') {
        if (session.kind !== 'none') clear();
        return;
      }
      const now = Date.now();
      const time = clock();
      const isOver = isExpired(session.claims, time.now);
      hasMissed = missesRefresh(browser.navigator.onLine, isOver, hasMissed, now - polledAt);
      polledAt = now;
      const decision = decidePoll(session, time, hasMissed, doubt);
      if (decision === 'wait') return;
      const after = decideAfter(await refresh(session, decision === 'expired'), isOver, isOver);
      if (after !== 'soon') {
        // Another page may have signed in since the lock was released.
        if (after !== 'later' && !isOvertaken(session, stored())) clear();
        return;
      }
      await pause(browser, pollSoonMs);
    }
  };
  /**
   * @param doubt - a token that is refreshed before it is due
   * @param reason - why its session may have ended
   */
  const renew = async (doubt?: Doubt, reason?: EndReason): Promise<void> => {
    if (doubt) await running;
    running ??= renewOnce(doubt).finally(() => {
      running = undefined;
      tell(reason);
    });
    await running;
  };
  const poll = () => {
    void renew();
    // At once, also while the refresh lasts.
    tell();
  };

  const listen = () => {
    const ends = new AbortController();
    const { signal } = ends;
    const timer = browser.setInterval(poll, pollEveryMs);
    for (const type of ['visibilitychange', 'pageshow', 'online'])
      browser.addEventListener(type, poll, { signal });
    // Older browsers lack `cookieStore`, although its type does not say so.
    (browser.cookieStore as CookieStore | undefined)?.addEventListener('change', poll, { signal });
    reported = current();
    poll();
    if (extensions?.includes('events'))
      void import('./events.ts').then(
        ({ followEvents }) => {
          changed = followEvents(browser, options, signal, present, renew, clear, tell);
        },
        // If the file cannot be loaded, the session works as without the extension.
        () => undefined,
      );
    stop = () => {
      browser.clearInterval(timer);
      ends.abort();
    };
  };

  const token = async () => {
    await renew();
    const session = present();
    return session && !isExpired(session.claims, clock().now) ? session.tokens.token : null;
  };

  return {
    current,
    token,
    subscribe: (listener) => {
      const entry = [listener] as const;
      listeners.add(entry);
      if (listeners.size === 1) listen();
      return () => {
        if (listeners.delete(entry) && listeners.size === 0) stop?.();
      };
    },
    signIn: ({ returnTo = browser.location.href } = {}) => {
      const { href } = new URL(returnTo, browser.location.href);
      mustBeAt(href, browser.location.origin, options.returnOrigins);
      browser.location.assign(`${options.signOnUrl}/login?url=${encodeURIComponent(href)}`);
    },
    signOut: () => {
      const session = present();
      clear();
      // Sessions of magic links and of setup mode, whose names begin like that of the session.
      const linked = RegExp(`${prefix}-session-(?:setup|[\\da-f]{64})(?==)`, 'g');
      tryOrNull(() => browser.document.cookie.match(linked)?.forEach((name) => jar.remove(name)));
      if (session && extensions?.includes('revoke'))
        void post(browser, options, 'revoke', session.tokens.refresh).catch(() => undefined);
      tell();
    },
    fetch: async (input, init) => {
      const request = new browser.Request(input, init);
      if (!isAt(request.url, options.serviceUrl, options.apiOrigins)) return await browser.fetch(request);
      const send = (one: Request, bearer: string | null) => {
        if (bearer) one.headers.set('Authorization', `Bearer ${bearer}`);
        return browser.fetch(one);
      };
      const first = await token();
      const user = current()?.uid;
      const again = request.clone();
      const response = await send(request, first);
      if (response.status !== 401 || !first) return response;
      await renew({ token: first });
      const second = await token();
      if (!second || second === first || current()?.uid !== user) return response;
      return await send(again, second);
    },
    close: () => {
      listeners.clear();
      stop?.();
    },
  };
}

function changeOf(before: Claims | null, now: Claims | null): SessionEvent {
  if (!now) return 'signed-out';
  if (!before) return 'signed-in';
  return before.uid === now.uid ? 'refreshed' : 'user-changed';
}
