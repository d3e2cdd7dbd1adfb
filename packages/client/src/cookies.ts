import { decodeClaims, type Claims } from './claims.ts';
import { decodeName, encodeName, encodePair, parseCookies } from './cookieText.ts';

/** A cookie's life: until the browser session ends, for a number of days, or until a time (ms since the epoch). */
export type CookieLife =
  | { readonly kind: 'session' }
  | { readonly kind: 'days'; readonly days: number }
  | { readonly kind: 'until'; readonly at: number };

/**
 * The cookies that all hosts of a family share (docs/behaviour.md#cookies). Names and values are percent-encoded when written
 * and decoded when read.
 */
export interface CookieJar {
  /** Whether the browser keeps cookies for this page at all. */
  readonly enabled: () => boolean;
  /** Every value that the browser holds under the name: two when a sibling host has set its own. */
  readonly readAll: (name: string) => readonly string[];
  /** The names of all cookies that the page can see, decoded. */
  readonly names: () => readonly string[];
  /**
   * Writes and reads back. `false`: the browser refused silently (over 4,096 bytes, wrong domain, switched off);
   * an older value may then still be there.
   */
  readonly write: (name: string, value: string, life: CookieLife) => boolean;
  /** Removes the name from the parent domain and from this host. */
  readonly remove: (name: string) => void;
}

/** The deployment's cookies, as in its configuration. */
export interface CookieOptions {
  /** Prefix of every cookie name. */
  readonly prefix: string;
  /** Parent domain that the family shares; absent: cookies of this host alone. */
  readonly domain?: string | undefined;
  readonly sameSite?: 'Lax' | 'Strict' | 'None';
}

/** Last second of the year 9999: browsers do not read a later `Expires` and would keep the cookie for the session. */
const lastExpiryMs = 253_402_300_799_000;

/** The cookies of the parent domain. Never throws: a frame without storage reads as an empty jar. */
export function createCookieJar(
  browser: Window,
  { prefix, domain, sameSite = 'Lax' }: CookieOptions,
): CookieJar {
  const { document, location } = browser;
  const secure = sameSite === 'None' || (browser.isSecureContext && location.protocol === 'https:');

  const stored = () => {
    try {
      return parseCookies(document.cookie);
    } catch {
      return []; // A sandboxed frame throws on every access.
    }
  };
  const set = (name: string, value: string, onDomain: string | undefined, path = '/', expires?: number) => {
    const pair = encodePair(name, value);
    if (pair === null) return;
    const attributes = [
      `path=${path}`,
      ...(onDomain === undefined ? [] : [`domain=${onDomain}`]),
      `sameSite=${sameSite}`,
      ...(secure ? ['secure'] : []),
      ...(expires === undefined ? [] : [`expires=${new Date(expires).toUTCString()}`]),
    ];
    try {
      document.cookie = [pair, ...attributes].join('; ');
    } catch {
      // Nothing to do: `write` and `remove` read back.
    }
  };
  const readAll = (name: string) => {
    const encodedName = encodeName(name);
    return stored().flatMap((cookie) => (cookie.encodedName === encodedName ? [cookie.value] : []));
  };
  const expire = (name: string, domains: readonly (string | undefined)[], paths?: readonly string[]) => {
    for (const one of domains) for (const path of paths ?? ['/']) set(name, '', one, path, 0);
  };
  const remove = (name: string) => {
    expire(name, [domain, undefined]);
    // A sibling host may have set it on another parent domain or path.
    if (readAll(name).length > 0) expire(name, domainsOf(location), pathsOf(location));
  };

  return {
    readAll,
    remove,
    names: () => [...new Set(stored().flatMap(({ encodedName }) => decodeName(encodedName) ?? []))],
    write: (name, value, life) => {
      if (encodePair(name, value) === null) return false;
      set(name, value, domain, '/', expiryOf(life));
      return readAll(name).includes(value);
    },
    enabled: () => {
      const probe = `${prefix}-probe`;
      // Host-only first, so that a wrong domain is not reported as cookies switched off. In a frame of a sibling under
      // `localhost`, WebKitGTK refuses the host-only cookie and keeps the one with the domain.
      return [undefined, domain].some((candidate) => {
        set(probe, '1', candidate);
        const kept = readAll(probe).length > 0;
        if (kept) remove(probe);
        return kept;
      });
    },
  };
}

function expiryOf(life: CookieLife): number | undefined {
  if (life.kind === 'session') return undefined;
  return Math.min(life.kind === 'until' ? life.at : Date.now() + life.days * 86_400_000, lastExpiryMs);
}

/** This host alone, and every domain that may share cookies with it: login.pay.example, pay.example, example. */
function domainsOf({ hostname }: Location): readonly (string | undefined)[] {
  const labels = hostname.split('.');
  return [undefined, ...labels.map((_label, index) => labels.slice(index).join('.'))];
}

/** Every path whose cookies this page sees: `/a/b` → `/`, `/a`, `/a/`, `/a/b`, `/a/b/`. */
function pathsOf({ pathname }: Location): readonly string[] {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const prefixes = segments.map((_segment, index) => `/${segments.slice(0, index + 1).join('/')}`);
  return ['/', ...prefixes.flatMap((prefix) => [prefix, `${prefix}/`])];
}

/** The access token, for calls, and the refresh token, which works once. */
export interface TokenPair {
  readonly token: string;
  readonly refresh: string;
}

/** A session as its cookie holds it. */
export interface HeldSession {
  readonly kind: 'present';
  readonly tokens: TokenPair;
  readonly claims: Claims;
}

/** What the session cookie holds. */
export type StoredSession =
  | { readonly kind: 'none' }
  /** Not ours, cut off, or set twice with two values by a sibling host. */
  | { readonly kind: 'malformed' }
  /** The user has access to no application: not a session. */
  | { readonly kind: 'noPersonas' }
  | HeldSession;

/** The names of the two session cookies. */
export const sessionNames = (prefix: string) =>
  ({ session: `${prefix}-session`, refresh: `${prefix}-session-refresh` }) as const;

/** Reads the session cookie. Never throws. */
export function readSession(jar: Pick<CookieJar, 'readAll'>, prefix: string): StoredSession {
  const [value, ...others] = new Set(jar.readAll(sessionNames(prefix).session));
  if (value === undefined) return { kind: 'none' };
  const tokens = others.length > 0 ? null : tokensOf(parseJson(value)?.['authenticated']);
  const claims = tokens && decodeClaims(tokens.token);
  if (!claims) return { kind: 'malformed' };
  return Object.keys(claims.personas).length > 0
    ? { kind: 'present', tokens, claims }
    : { kind: 'noPersonas' };
}

/** Both tokens of a response or a cookie; `null`: one is missing. */
export function tokensOf(given: unknown): TokenPair | null {
  const { token, refresh } = (given ?? {}) as Partial<Record<keyof TokenPair, unknown>>;
  return typeof token === 'string' && typeof refresh === 'string' ? { token, refresh } : null;
}

/** `null`: the text is not JSON, or `null`. */
export function parseJson(json: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(json) as Readonly<Record<string, unknown>> | null;
  } catch {
    return null;
  }
}

/**
 * Writes both session cookies. `false`: the browser refused one of them. Both are removed then, because an older value that
 * stayed would send a used refresh token again.
 */
export function writeSession(jar: CookieJar, prefix: string, tokens: TokenPair): boolean {
  const { session, refresh } = sessionNames(prefix);
  const { token } = tokens;
  const value = JSON.stringify({ authenticated: { token, refresh: tokens.refresh } });
  const written =
    jar.write(session, value, { kind: 'session' }) && jar.write(refresh, tokens.refresh, { kind: 'session' });
  if (!written) clearSession(jar, prefix);
  return written;
}

/** Removes both session cookies, which signs out the whole family; all other cookies stay. */
export function clearSession(jar: Pick<CookieJar, 'remove'>, prefix: string): void {
  for (const name of Object.values(sessionNames(prefix))) jar.remove(name);
}
