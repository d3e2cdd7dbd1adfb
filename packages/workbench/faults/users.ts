import { AsyncLocalStorage } from 'node:async_hooks';
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { decodeClaims, type Claims } from '../../../src/features/session/claims';
import { beginPause, endPause, pauseLeft } from '../../../src/features/session/refresh/refreshTiming';
import { createSession } from '@vestibule/client';
import { isRefreshDue } from '@vestibule/client/claims';
import { createCookieJar, writeSession, type TokenPair } from '@vestibule/client/cookies';
import { JSDOM } from 'jsdom';
import { isExpired } from '../../../src/features/session/refresh/tokenClock';
import { ApiError, isRefusal } from '../../../src/shared/api/apiError';
import { createLiveApi, type Transport } from '../../../src/shared/api/liveApi';
import type { Deps } from '../../../src/shared/deps';
import type { TextStorage } from '../../../src/shared/ports/ports';

/** js-cookie writes into the global document: that of the user whose work is running. */
const documents = new AsyncLocalStorage<Document>();
Object.defineProperty(globalThis, 'document', { get: () => documents.getStore() });

/** What the users of one row of the table met. */
export interface Tally {
  signIns: number;
  /** Sign-ins, each of two calls, that ended with the error dialog of the page. */
  failedSignIns: number;
  refreshes: number;
  lostSessions: number;
  resets: number;
  /** Presses at 'forgot password' and 'new password' that ended with an error. */
  failedResets: number;
  /** The longest call of a sign-in, and the longest time from the moment a refresh was due to its success, ms. */
  longestSignInMs: number;
  longestRefreshMs: number;
  /** Why something failed, and how often. */
  readonly reasons: Map<string, number>;
}

export const emptyTally = (): Tally => ({
  ...{ signIns: 0, failedSignIns: 0, refreshes: 0, lostSessions: 0, resets: 0, failedResets: 0 },
  ...{ longestSignInMs: 0, longestRefreshMs: 0, reasons: new Map() },
});

/** A password that somebody has forgotten and set again. */
export interface Reset {
  readonly email: string;
  readonly tally: Tally;
  /** When the service had taken the request, ms since the epoch; `null`: it was not taken. */
  askedAt: number | null;
  /** Whether the new password was taken: the owner is to be notified. */
  done: boolean;
}

/** The users of the load. */
export interface Users {
  /** What is begun from now on is counted there. */
  readonly countIn: (tally: Tally) => void;
  readonly resets: readonly Reset[];
  /** No more sign-ins and resets; those under way end, and each session is refreshed once more. */
  readonly leave: () => Promise<void>;
}

interface UsersOptions {
  readonly httpsPort: number;
  /** The certificate of nginx. */
  readonly ca: string;
  readonly password: string;
  /** Accounts that sign in, and accounts that forget their passwords. */
  readonly usernames: readonly string[];
  readonly forgetful: readonly string[];
  /** The link in the mail of a reset, once it has come. */
  readonly resetLink: (email: string) => string | undefined;
  readonly everyMs: { readonly signIn: number; readonly reset: number };
  /** Whether `@vestibule/client` keeps the sessions, in a window for each user, and not the page. */
  readonly isInApplication: boolean;
}

/** A mail that has not come by then is lost: a process that is killed keeps its messages for a minute. */
export const lostAfterMs = 75_000;

/** The grace period in the deployment's configuration, seconds. */
const refreshGraceSeconds = 10;

/** The address of the user on whose behalf a call is made. */
const address = new AsyncLocalStorage<string>();

/**
 * Browsers with the transport of the page (`createLiveApi`, with its time limits and its copies of a refresh), and its rules: one
 * press is one call; a refresh that failed is tried again as `packages/client/src/refreshTiming.ts` says, until the token has expired.
 */
export function openUsers(options: UsersOptions): Users {
  const { usernames, forgetful, password, everyMs } = options;
  globalThis.fetch = fetchFrom(options);
  const serviceUrl = `https://api.example.test:${options.httpsPort}`;
  let tally = emptyTally();
  let isOpen = true;
  const resets: Reset[] = [];
  const visits = new Set<Promise<void>>();
  const came = (visit: Promise<void>): void => {
    visits.add(visit);
    void visit.finally(() => visits.delete(visit));
  };
  let count = 0;
  const browser = <Result>(work: (api: Transport) => Promise<Result>): Promise<Result> => {
    count += 1;
    // A separate network for each user, for the limits of the service.
    const from = `127.${1 + (count >> 16)}.${(count >> 8) & 255}.${1 + (count % 250)}`;
    return address.run(from, () =>
      work(
        createLiveApi({
          serviceUrl,
          refreshGraceSeconds,
          clock: {
            now: Date.now,
            monotonic: () => performance.now(),
            pause: async (ms) => {
              await pause(ms);
            },
          },
        }),
      ),
    );
  };

  const signsIn = setInterval(() => {
    const username = usernames[count % usernames.length] ?? '';
    const own = tally;
    came(browser((api) => visit(api, own, username)));
  }, everyMs.signIn);
  const forgets = setInterval(() => {
    const email = forgetful[resets.length];
    if (email === undefined) return;
    const reset: Reset = { email, tally, askedAt: null, done: false };
    resets.push(reset);
    came(browser((api) => forget(api, reset)));
  }, everyMs.reset);

  const signIn = async (api: Transport, own: Tally, username: string, secret: string) => {
    own.signIns += 1;
    const tokens = await press(own, async () => {
      await timed(own, () => api.auth.methods(username));
      return timed(own, () => api.auth.token({ username, method: 'basic', password: secret }));
    });
    if (tokens === null) own.failedSignIns += 1;
    return tokens;
  };

  /** Signs in, stays for a while, and goes; a session that was lost meanwhile is one too many. */
  const visit = async (api: Transport, own: Tally, username: string): Promise<void> => {
    const signedIn = await signIn(api, own, username, password);
    if (signedIn?.token === undefined || signedIn.refresh === undefined) return;
    const until = Date.now() + 40_000;
    let tokens = { token: signedIn.token, refresh: signedIn.refresh };
    if (options.isInApplication) {
      await stayInApplication(tokens, until);
      return;
    }
    const storage = createMemoryStorage();
    const deps = {
      clock: { now: Date.now, monotonic: () => performance.now(), pause: never },
      storage,
      random: Math.random,
    } as unknown as Deps;
    for (;;) {
      const claims = decodeClaims(tokens.token);
      if (claims === null) throw new Error('The service has issued a token that the page cannot read.');
      const next = await refreshWhenDue(api, deps, claims, tokens.refresh, until);
      if (next === null) return;
      tokens = next;
    }
  };

  /** Stays until the first refresh after `until`, which proves that the session still exists. */
  const stayInApplication = async (tokens: TokenPair, until: number): Promise<void> => {
    const { window } = new JSDOM('', { url: 'https://ledger.apps.example.test/' });
    documents.enterWith(window.document);
    // The classes of jsdom accept no signal of Node.js. These windows receive no events.
    const events = new EventTarget();
    const browser = Object.assign(window, {
      ...{ fetch, Request },
      addEventListener: events.addEventListener.bind(events),
      removeEventListener: events.removeEventListener.bind(events),
    }) as unknown as Window & typeof globalThis;
    const cookies = { prefix: 'faults', domain: 'example.test' };
    writeSession(createCookieJar(browser, cookies), cookies.prefix, tokens);
    const session = createSession(
      { ...cookies, serviceUrl, signOnUrl: 'https://login.example.test', refreshGraceSeconds },
      browser,
    );
    session.subscribe(() => undefined);
    try {
      let seen = session.current();
      while (seen !== null) {
        await pause(500);
        const own = tally;
        await session.token();
        const now = session.current();
        if (now === null) lost(own, 'ended');
        else if (now !== seen) {
          own.refreshes += 1;
          own.longestRefreshMs = Math.max(own.longestRefreshMs, Date.now() - (seen.iat + seen.exp) * 500);
          if (Date.now() > until || !isOpen) return;
        }
        seen = now;
      }
    } finally {
      session.close();
      window.close();
    }
  };

  const refreshWhenDue = async (
    api: Transport,
    deps: Deps,
    claims: Claims,
    refresh: string,
    until: number,
  ): Promise<{ readonly token: string; readonly refresh: string } | null> => {
    let dueAt: number | null = null;
    for (;;) {
      // The page polls each 15 s; a token of 30 s is looked at more often.
      await pause(500);
      const now = Date.now();
      if (isExpired(claims, now)) return lost(tally, 'expired');
      // Who goes proves that the session is still there.
      const goes = now > until || !isOpen;
      if (!(goes || isRefreshDue(claims, now)) || pauseLeft(deps, claims) > 0) continue;
      dueAt ??= now;
      const own = tally;
      try {
        const tokens = await api.auth.refresh(refresh);
        endPause(deps);
        own.refreshes += 1;
        own.longestRefreshMs = Math.max(own.longestRefreshMs, Date.now() - dueAt);
        return goes ? null : tokens;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (isRefusal(error)) return lost(own, `refused: ${reasonOf(error)}`);
        beginPause(deps, error.details);
      }
    }
  };

  const forget = async (api: Transport, reset: Reset): Promise<void> => {
    const { tally: own, email } = reset;
    own.resets += 1;
    const asked = await press(own, () => api.password.forgot(email).then(() => true));
    if (asked === null) {
      own.failedResets += 1;
      return;
    }
    reset.askedAt = Date.now();
    const end = Date.now() + lostAfterMs;
    let hash = options.resetLink(email);
    for (; hash === undefined && Date.now() < end; hash = options.resetLink(email)) await pause(100);
    if (hash === undefined) return;
    const secret = `${password}-again`;
    const done = await press(own, () =>
      api.password.reset({ hash, password: secret, confirm: secret }).then(() => true),
    );
    if (done === null) {
      own.failedResets += 1;
      return;
    }
    reset.done = true;
    await signIn(api, own, email, secret);
  };

  return {
    countIn: (next) => {
      tally = next;
    },
    resets,
    leave: async () => {
      isOpen = false;
      clearInterval(signsIn);
      clearInterval(forgets);
      while (visits.size > 0) await Promise.all(visits);
    },
  };
}

/** Counts a press of a button. @returns `null` if the page shows an error. */
async function press<Result>(tally: Tally, work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    countReason(tally, reasonOf(error));
    return null;
  }
}

async function timed<Result>(tally: Tally, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    tally.longestSignInMs = Math.max(tally.longestSignInMs, performance.now() - start);
  }
}

function lost(tally: Tally, reason: string): null {
  tally.lostSessions += 1;
  countReason(tally, `session ${reason}`);
  return null;
}

function countReason({ reasons }: Tally, reason: string): void {
  reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}

const reasonOf = ({ kind, details }: ApiError): string =>
  [kind, details.status, details.serverCode].filter((one) => one !== undefined).join(' ');

const never = (): Promise<never> => Promise.reject(new Error('No code pauses by this clock.'));

function createMemoryStorage() {
  const texts = new Map<string, string>();
  const storage: TextStorage = {
    read: (key) => texts.get(key) ?? null,
    write: (key, text) => {
      if (text === null) texts.delete(key);
      else texts.set(key, text);
      return true;
    },
  };
  return { tab: storage, browser: storage };
}

/** The browser's `fetch`, with the names of the deployment on this machine, its certificate, and the user's own address. */
function fetchFrom({ httpsPort, ca }: Pick<UsersOptions, 'httpsPort' | 'ca'>): typeof fetch {
  const agent = new https.Agent({ keepAlive: true });
  return async (input, init) => {
    const request = new Request(input, init);
    const { hostname, pathname, search } = new URL(request.url);
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    return new Promise<Response>((resolve, reject) => {
      const outgoing = https.request({
        ...{ host: '127.0.0.1', port: httpsPort, servername: hostname, ca, agent },
        localAddress: address.getStore(),
        method: request.method,
        path: pathname + search,
        headers: {
          ...Object.fromEntries(request.headers),
          host: `${hostname}:${httpsPort}`,
          origin: `https://login.example.test:${httpsPort}`,
          ...(body === undefined ? {} : { 'content-length': body.length }),
        },
        signal: request.signal,
      });
      outgoing.once('error', reject);
      outgoing.once('response', (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('error', reject);
        answer.once('end', () => {
          const headers = new Headers();
          for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
          resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 0, headers }));
        });
      });
      outgoing.end(body);
    });
  };
}
