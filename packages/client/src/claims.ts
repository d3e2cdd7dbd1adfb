import { jwtDecode } from 'jwt-decode';
import { tryOrNull } from './tryOrNull.ts';

const methods = ['basic', 'google', 'microsoft'] as const;

/** The claims of a token about its user (docs/behaviour.md#token-claims). */
export interface Claims {
  readonly uid: string;
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  /** `basic` for a password; any other value means a provider, which few services name. */
  readonly method: (typeof methods)[number] | 'other';
  readonly isMfaSetup: boolean;
  /** Addresses of applications by persona group. A group without entries gives access to no application and is left out. */
  readonly personas: Readonly<Record<string, readonly string[]>>;
  /** Expiry, seconds since the epoch. */
  readonly exp: number;
  /** Time of issue, seconds since the epoch. */
  readonly iat: number;
}

/** The decoded payload of a token, of any shape. */
export type Payload = Readonly<Record<string, unknown>>;

/** The last second that `Date` can hold: a larger `exp` is not a time. */
const lastSecond = 8.64e12;

/**
 * A smaller difference between a clock and a time of the service is ignored, ms, because responses take time and `iat` is in
 * whole seconds.
 */
export const toleranceMs = 5000;

/** Decodes a token without verifying it. `null`: not a token of the service. Never throws. */
export function decodeClaims(token: string): Claims | null {
  return tryOrNull(() => claimsOf(jwtDecode<Payload>(token)));
}

/**
 * Whether half of the token's life has passed. A token issued in the future is due as well: the clock was set back, and only a
 * new token shows by how much.
 *
 * @param nowMs - ms since the epoch
 */
export function isRefreshDue({ iat, exp }: Pick<Claims, 'iat' | 'exp'>, nowMs: number): boolean {
  return nowMs >= (iat + exp) * 500 || nowMs <= iat * 1000 - toleranceMs;
}

/** Whether the user has access to any application. */
export const hasPersonas = ({ personas }: { readonly personas: object }): boolean =>
  Object.keys(personas).length > 0;

/** The claims of a decoded token. @throws unless they are those of the service */
export function claimsOf(payload: Payload): Claims {
  const { uid, isMfaSetup, personas, exp, iat } = payload;
  // `null` counts as absent, because some services send it for an empty column.
  const words = (name: string) => valid(payload[name] ?? '', isText);
  return {
    // A number that JavaScript cannot hold exactly would name another user.
    uid: String(valid(uid, (given) => (isText(given) ? given !== '' : Number.isSafeInteger(given)))),
    username: words('username'),
    email: words('email'),
    firstName: words('firstName'),
    method: methods.find((one) => one === words('method')) ?? 'other',
    isMfaSetup: valid(isMfaSetup ?? false, (given) => typeof given === 'boolean'),
    personas: groupsOf(valid(personas ?? {}, isObject)),
    exp: seconds(exp),
    iat: seconds(iat),
  };
}

function groupsOf(personas: object): Claims['personas'] {
  const urlOf = (entry: unknown) =>
    valid((valid(entry, isObject) as { readonly applicationUrl?: unknown }).applicationUrl ?? '', isText);
  return Object.fromEntries(
    Object.entries(personas).flatMap(([name, entries]) => {
      const urls = valid(entries, Array.isArray).map(urlOf);
      return urls.length > 0 ? [[name, urls.filter(Boolean)]] : [];
    }),
  );
}

const isText = (given: unknown): given is string => typeof given === 'string';
const isObject = (given: unknown): given is object => typeof given === 'object' && given !== null;
const seconds = (given: unknown): number =>
  valid(given, (one) => typeof one === 'number' && one >= 0 && one <= lastSecond) as number;

function valid<T>(given: unknown, check: (given: unknown) => given is T): T;
function valid(given: unknown, check: (given: unknown) => boolean): unknown;
function valid(given: unknown, check: (given: unknown) => boolean): unknown {
  if (!check(given)) throw new TypeError();
  return given;
}
