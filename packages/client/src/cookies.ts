import Cookies from 'js-cookie';
import { decodeClaims, hasPersonas, type Claims } from './claims.ts';
import { tryOrNull } from './tryOrNull.ts';

export { tryOrNull };

/** The largest name and value that browsers accept, bytes. They silently refuse a larger cookie and keep the old value. */
export const cookieLimit = 4096;

/** The size of a cookie in its encoded form, bytes; `Infinity` for a text without a UTF-8 form. */
export const cookieBytes = (name: string, value: string): number =>
  tryOrNull(() => Cookies.converter.write?.(name + value, name).length) ?? Infinity;

/** A name as js-cookie writes it, which has a function for values only. `null`: text that has no UTF-8 form. */
const encodeName = (name: string): string | null =>
  tryOrNull(() =>
    encodeURIComponent(name)
      .replace(/%(2[346B]|5E|60|7C)/g, decodeURIComponent)
      .replaceAll('(', '%28')
      .replaceAll(')', '%29'),
  );

/**
 * The cookies that all hosts of a family share (docs/behaviour.md#cookies). js-cookie encodes names and values, and decodes values.
 */
export interface CookieJar {
  /** All values of the name. There are two if a sibling host has set its own. */
  readonly readAll: (name: string) => readonly string[];
  /**
   * Writes and reads back. Returns `false` if the browser has silently refused (over 4,096 bytes, wrong domain, switched
   * off). An older value may still be there then.
   *
   * @param until - ms since the epoch; absent: until the browser session ends
   */
  readonly write: (name: string, value: string, until?: number) => boolean;
  /** Removes the name from this host, every parent domain and every path. */
  readonly remove: (name: string) => void;
}

/** The deployment's cookies, as in its configuration. */
export interface CookieOptions {
  /** Prefix of every cookie name. */
  readonly prefix: string;
  /** The parent domain that the family shares; absent for cookies of this host alone. */
  readonly domain?: string | undefined;
  readonly sameSite?: 'Lax' | 'Strict' | 'None';
}

/** The cookies of the parent domain. Never throws: a frame without storage reads as an empty jar. */
export function createCookieJar(browser: Window, { domain, sameSite = 'Lax' }: CookieOptions): CookieJar {
  const secure = sameSite === 'None' || (browser.isSecureContext && browser.location.protocol === 'https:');

  // A sandboxed frame throws on every access, js-cookie for text without a UTF-8 form. `write` and `remove` read back.
  const set = (name: string, value: string, onDomain: string | undefined, path: string, expires?: Date | 0) =>
    tryOrNull(() => Cookies.set(name, value, { path, sameSite, secure, domain: onDomain, expires }));
  // Only under the spelling that `remove` reaches: a cookie that cannot be removed would make every other value of the name doubtful.
  const readAll = (name: string) => {
    const wanted = encodeName(name);
    return stored(browser).flatMap(([encodedName, value]) => (encodedName === wanted ? [value] : []));
  };
  return {
    readAll,
    remove: (name) => {
      // A sibling host may have set it on another parent domain or path. js-cookie's `remove` reads the clock of the page.
      for (const one of domainsOf(browser.location))
        for (const path of pathsOf(browser.location))
          // Firefox logs each domain that it refuses.
          if (readAll(name).length) set(name, '', one, path, new Date(0));
    },
    write: (name, value, until) => {
      if (cookieBytes(name, value) > cookieLimit) return false;
      set(name, value, domain, '/', until && new Date(until));
      return readAll(name).includes(value);
    },
  };
}

/**
 * Every pair of `document.cookie`, in its order. A name may occur twice, with the value of a sibling host. A value that is
 * not percent-encoded is kept as it is, so that it counts as malformed and not as missing.
 */
const stored = (browser: Window): readonly (readonly [encodedName: string, value: string])[] =>
  (tryOrNull(() => browser.document.cookie) ?? '').split('; ').flatMap((pair) => {
    const end = pair.indexOf('=');
    if (end <= 0) return [];
    const value = pair.slice(end + 1);
    return [[pair.slice(0, end), tryOrNull(() => Cookies.converter.read?.(value, '')) ?? value] as const];
  });

/** Decodes a name; `null` if it is not percent-encoded (a cookie of another application). */
const decodeName = (encodedName: string) => tryOrNull(() => decodeURIComponent(encodedName));

/** The names of all cookies that the page can see, decoded. */
export function cookieNames(browser: Window): readonly string[] {
  return [...new Set(stored(browser).flatMap(([name]) => decodeName(name) ?? []))];
}

/** An unused cookie name, which shows whether the browser accepts any cookie. */
export const probeName = (prefix: string): string => `${prefix}-probe`;

/** Whether the browser keeps cookies for this page at all. */
export function keepsCookies(browser: Window, options: CookieOptions): boolean {
  const probe = probeName(options.prefix);
  // The host-only cookie is tried first, so that a wrong domain does not look like cookies switched off. In a frame of a
  // sibling under `localhost`, WebKitGTK refuses the host-only cookie and keeps the one with the domain.
  return [undefined, options.domain].some((domain) => {
    const jar = createCookieJar(browser, { ...options, domain });
    const kept = jar.write(probe, '1');
    if (kept) jar.remove(probe);
    return kept;
  });
}

/** The host (`undefined`), and every domain that may share cookies with it: login.pay.example, pay.example, example. */
const domainsOf = ({ hostname }: Location): readonly (string | undefined)[] => [
  undefined,
  ...hostname.split('.').map((_label, index, labels) => labels.slice(index).join('.')),
];

/** Every path whose cookies this page sees: `/a/b` → `/`, `/a`, `/a/`, `/a/b`, `/a/b/`. */
const pathsOf = ({ pathname }: Location): readonly string[] =>
  pathname
    .split('/')
    .map((_segment, index, segments) => segments.slice(0, index + 1).join('/'))
    .flatMap((path) => [path, `${path}/`]);

/** The access token, for calls, and the refresh token, which works once. */
export interface TokenPair {
  readonly token: string;
  readonly refresh: string;
}

/** A session in its cookie. */
export interface PresentSession {
  readonly kind: 'present';
  readonly tokens: TokenPair;
  readonly claims: Claims;
}

/** The content of the session cookie. */
export type StoredSession =
  | { readonly kind: 'none' }
  /** The cookie has another form, was cut off, or was set twice with two values. */
  | { readonly kind: 'malformed' }
  /** The user has access to no application, so this is not a session. */
  | { readonly kind: 'noPersonas' }
  | PresentSession;

/** The names of the two session cookies. */
export const sessionNames = (prefix: string) =>
  ({ session: `${prefix}-session`, refresh: `${prefix}-session-refresh` }) as const;

/** The name of the cookie of setup mode. */
export const setupName = (prefix: string): string => `${prefix}-session-setup`;

/** Reads the session cookie. Never throws. */
export function readSession(jar: Pick<CookieJar, 'readAll'>, prefix: string): StoredSession {
  const [value, ...others] = new Set(jar.readAll(sessionNames(prefix).session));
  if (value === undefined) return { kind: 'none' };
  const tokens = others.length > 0 ? null : tokensOf(parseJson(value)?.['authenticated']);
  const claims = tokens && decodeClaims(tokens.token);
  if (!claims) return { kind: 'malformed' };
  return hasPersonas(claims) ? { kind: 'present', tokens, claims } : { kind: 'noPersonas' };
}

/** The session of setup mode: its token replaces the session token on the routes of setup mode. */
export interface StoredSetup {
  readonly mfaToken: string;
  readonly claims: Claims;
}

/** Reads the cookie of setup mode; `null` if it is missing, has another form, or was set by a sibling host too. */
export function readSetup(jar: Pick<CookieJar, 'readAll'>, prefix: string): StoredSetup | null {
  const [value, ...others] = new Set(jar.readAll(setupName(prefix)));
  const mfaToken = value === undefined || others.length > 0 ? undefined : parseJson(value)?.['mfaToken'];
  const claims = typeof mfaToken === 'string' ? decodeClaims(mfaToken) : null;
  return claims && { mfaToken: mfaToken as string, claims };
}

/** Both tokens of a response or a cookie; `null` if one is missing. */
export function tokensOf(given: unknown): TokenPair | null {
  const { token, refresh } = (given ?? {}) as Partial<Record<keyof TokenPair, unknown>>;
  return typeof token === 'string' && typeof refresh === 'string' ? { token, refresh } : null;
}

/** Parses JSON; `null` if the text is not JSON. */
export function parseJson(json: string): Readonly<Record<string, unknown>> | null {
  return tryOrNull(() => JSON.parse(json) as Readonly<Record<string, unknown>> | null);
}

/**
 * Writes both session cookies. Returns `false` if the browser refused one of them. Both are removed then, because with an
 * older value a used refresh token would be sent again.
 */
export function writeSession(jar: CookieJar, prefix: string, tokens: TokenPair): boolean {
  const names = sessionNames(prefix);
  const { token, refresh } = tokens;
  const written =
    jar.write(names.session, JSON.stringify({ authenticated: { token, refresh } })) &&
    jar.write(names.refresh, refresh);
  if (!written) clearSession(jar, prefix);
  return written;
}

/** Removes both session cookies, which signs out the whole family; all other cookies stay. */
export function clearSession(jar: Pick<CookieJar, 'remove'>, prefix: string): void {
  for (const name of Object.values(sessionNames(prefix))) jar.remove(name);
}
