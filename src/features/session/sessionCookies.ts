import type { TokenPair } from '@shared/api/api';
import type { Deps } from '@shared/deps';
import * as v from 'valibot';
import { decodeClaims, type Claims } from './claims';
import { cookieNames } from './cookieNames';

/** What the session cookies hold. The cookies, not the store, are the state of record. */
export type StoredSession =
  | { readonly kind: 'none' }
  /** Not ours, cut off, or set twice with two values by a sibling host (decisions §12). */
  | { readonly kind: 'malformed' }
  /** Of somebody who reaches no application: not a session (specification §5). */
  | { readonly kind: 'noPersonas' }
  | { readonly kind: 'present'; readonly tokens: TokenPair; readonly claims: Claims };

/** The setup-mode session (specification §4): its token stands in for the session token on the setup routes. */
export interface StoredSetup {
  readonly mfaToken: string;
  readonly claims: Claims;
}

/** What the cookie functions need of the outside. */
export type CookieDeps = Pick<Deps, 'cookies' | 'config'>;

const sessionSchema = v.object({ authenticated: v.object({ token: v.string(), refresh: v.string() }) });
const setupSchema = v.object({ mfaToken: v.string() });

/** The names that the configuration gives. */
export const namesOf = ({ config }: CookieDeps) => cookieNames(config.cookies.prefix);

/** The cookie as it was last read: every look finds the same text, and decoding it is most of what a look costs. */
let lastRead: { readonly value: string; readonly stored: StoredSession } | null = null;

/** Reads the session cookie. Never throws. */
export function readSession(deps: CookieDeps): StoredSession {
  const [value, ...others] = new Set(deps.cookies.readAll(namesOf(deps).session));
  if (value === undefined || others.length > 0) {
    lastRead = null;
    return { kind: value === undefined ? 'none' : 'malformed' };
  }
  if (lastRead?.value !== value) lastRead = { value, stored: decodeSession(value) };
  return lastRead.stored;
}

function decodeSession(value: string): StoredSession {
  const tokens = parseJson(sessionSchema, value)?.authenticated;
  const claims = tokens && decodeClaims(tokens.token);
  if (!tokens || !claims) return { kind: 'malformed' };
  return claims.personas.length > 0 ? { kind: 'present', tokens, claims } : { kind: 'noPersonas' };
}

/** Removes both session cookies; trust cookies and the remembered username stay (decisions §15). */
export function clearSession(deps: CookieDeps): void {
  const names = namesOf(deps);
  deps.cookies.remove(names.session);
  deps.cookies.remove(names.refresh);
}

/** Removes a refresh cookie that was left behind by its session cookie. Call it only where there is no session. */
export function clearOrphanRefresh(deps: CookieDeps): void {
  const { refresh } = namesOf(deps);
  if (deps.cookies.readAll(refresh).length > 0) deps.cookies.remove(refresh);
}

/** Reads the setup-mode session; `null` when there is none or it is not one of ours. */
export function readSetup(deps: CookieDeps): StoredSetup | null {
  const [value, ...others] = new Set(deps.cookies.readAll(namesOf(deps).setup));
  const isOne = value !== undefined && others.length === 0;
  const mfaToken = isOne ? parseJson(setupSchema, value)?.mfaToken : undefined;
  const claims = mfaToken === undefined ? null : decodeClaims(mfaToken);
  return mfaToken !== undefined && claims ? { mfaToken, claims } : null;
}

/**
 * Whether somebody is here in setup mode: no normal token, but a set-up one (specification §4 Session). Asked of the
 * cookies, not of the store, which DevTools may have turned back.
 */
export function isSetupMode(deps: CookieDeps): boolean {
  return readSession(deps).kind !== 'present' && readSetup(deps) !== null;
}

/**
 * Whether the token in use stands for a proof of identity: a session's that carries `isMfaSetup`, or in setup mode the
 * `mfaToken` (specification §6; decisions §9, §15). No `authVerificationToken` is sent then, and the 180 s lead to the
 * sign-on base address.
 */
export function hasSetupToken(deps: CookieDeps): boolean {
  const stored = readSession(deps);
  return stored.kind === 'present' ? stored.claims.isMfaSetup : readSetup(deps) !== null;
}

/** Ends setup mode. */
export function clearSetup(deps: CookieDeps): void {
  const { setup } = namesOf(deps);
  if (deps.cookies.readAll(setup).length > 0) deps.cookies.remove(setup);
}

/** The remembered username; empty when there is none. */
export function readRememberedUsername(deps: CookieDeps): string {
  return deps.cookies.readAll(namesOf(deps).username)[0] ?? '';
}

/** Reads a cookie's JSON; `undefined`: it is none of that shape. */
export function parseJson<T extends v.GenericSchema>(schema: T, text: string): v.InferOutput<T> | undefined {
  try {
    const result = v.safeParse(schema, JSON.parse(text));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}
