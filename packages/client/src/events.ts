import { createEventStream, type ServerEvent } from './eventStream.ts';
import type { PresentSession } from './cookies.ts';
import {
  decideEnd,
  endReasons,
  failuresAfter,
  longestHiddenMs,
  waitAfter,
  type EndReason,
} from './eventRules.ts';
import type { Doubt } from './sessionRules.ts';

/**
 * Follows the live events of the service (docs/behaviour.md#live-events): one tab of the origin reads the stream under a
 * lock, and tells the others. Nothing is open while the page is in the back/forward cache.
 *
 * @param signal - stops following the events
 * @param present - reads the session from the cookie
 * @param renew - refreshes a token before it is due; a refusal ends the session for this reason
 * @param clear - removes the cookies
 * @param tell - reports what has changed, or that the session has ended, with the reason if the service gave one
 * @returns to be called after each change of the session
 */
export function followEvents(
  browser: Window & typeof globalThis,
  { prefix, serviceUrl }: { readonly prefix: string; readonly serviceUrl: string },
  signal: AbortSignal,
  present: () => PresentSession | null,
  renew: (doubt: Doubt, reason?: EndReason) => Promise<void>,
  clear: () => void,
  tell: (reason?: EndReason) => void,
): () => void {
  const { document, performance } = browser;
  const name = `${prefix}-events`;
  const url = `${serviceUrl.replace(/\/$/, '')}/auth/v1/events`;
  const streams = createEventStream(browser);
  let line: BroadcastChannel | undefined;
  /** The work of this tab, while it reads or waits for the lock. */
  let following: AbortController | undefined;
  let hiddenTimer: number | undefined;
  /** Ends a stream whose user is no longer signed in. */
  let check = (): void => undefined;
  let wake = (): void => undefined;

  const react = async ({ name: event, data }: ServerEvent, { claims, tokens: { token } }: PresentSession) => {
    const reason = event === 'session-ended' ? reasonOf(data) : undefined;
    if (!reason) return;
    const decision = decideEnd(present(), claims.uid, [token]);
    if (decision === 'ended') clear();
    else if (decision === 'doubted') await renew({ isAnnounced: true }, reason);
    if (decision === 'ignored' || present()) return;
    line?.postMessage({ uid: claims.uid, reason });
    tell(reason);
  };

  const read = async (session: PresentSession, over: AbortSignal): Promise<number> => {
    const ends = new AbortController();
    const end = () => ends.abort();
    over.addEventListener('abort', end);
    check = () => {
      if (present()?.claims.uid !== session.claims.uid) end();
    };
    const request = { url, bearer: session.tokens.token, signal: ends.signal };
    const status = await streams.read(request, (event) => void react(event, session));
    over.removeEventListener('abort', end);
    return status;
  };

  const follow = async (over: AbortSignal): Promise<void> => {
    if (!(await streams.hold(name, over))) return;
    let failures = 0;
    let refused = '';
    // Only the first refusal in a row causes a refresh of a young token, because a proxy may refuse every stream.
    let isFirstRefusal = true;
    const isOver = () => over.aborted;
    while (!isOver()) {
      const session = present();
      if (!session || session.tokens.token === refused) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      const openedAt = performance.now();
      const status = await read(session, over);
      if (status === 401) {
        refused = session.tokens.token;
        await renew({ token: refused, isAnnounced: isFirstRefusal });
        isFirstRefusal = false;
        continue;
      }
      isFirstRefusal ||= status === 200;
      failures = failuresAfter(failures, status, performance.now() - openedAt);
      const waitMs = waitAfter(failures, Math.random());
      await new Promise((resolve) => browser.setTimeout(resolve, waitMs));
    }
  };

  const rest = () => {
    following?.abort();
    following = undefined;
    wake();
  };
  const look = () => {
    browser.clearTimeout(hiddenTimer);
    if (document.visibilityState === 'hidden') hiddenTimer = browser.setTimeout(rest, longestHiddenMs);
    else if (!following) {
      following = new AbortController();
      void follow(following.signal);
    }
  };
  const enter = () => {
    line ??= new browser.BroadcastChannel(name);
    line.onmessage = ({ data }: MessageEvent<{ readonly reason?: unknown } | null>) => {
      const reason = endReasons.find((one) => one === data?.reason);
      if (reason && !present()) tell(reason);
    };
    // Another tab may have announced the end before this tab started to listen.
    if (!present()) tell();
    look();
  };
  const leave = () => {
    browser.clearTimeout(hiddenTimer);
    line?.close();
    line = undefined;
    rest();
  };

  if (!signal.aborted) {
    browser.addEventListener('visibilitychange', look, { signal });
    browser.addEventListener('pagehide', leave, { signal });
    browser.addEventListener('pageshow', enter, { signal });
    signal.addEventListener('abort', leave);
    enter();
  }
  return () => {
    check();
    wake();
  };
}

function reasonOf(data: string): EndReason | undefined {
  try {
    const { reason } = JSON.parse(data) as { readonly reason?: unknown };
    return endReasons.find((one) => one === reason);
  } catch {
    return undefined;
  }
}
