import { jwtDecode } from 'jwt-decode';
import { flag, group, list, nullish, object, read, text, valueOf, type Read } from '@vestibule/contract/read';

const methods = ['basic', 'google', 'microsoft', 'other'] as const;

/** What the application uses of a decoded access token. Never the token itself. */
export interface Claims {
  readonly uid: string;
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  /** `basic`: with a password; otherwise through a provider, which few services name. */
  readonly method: (typeof methods)[number];
  readonly isMfaSetup: boolean;
  /** One list of application addresses per persona group, in the token's order. */
  readonly personas: readonly (readonly string[])[];
  /** Expiry, seconds since the epoch. */
  readonly exp: number;
  /** Time of issue, seconds since the epoch. */
  readonly iat: number;
}

/** The last second that `Date` can hold: a larger `exp` is not a time. */
const lastSecond = 8.64e12;
const seconds = read<number>(
  'seconds',
  (given) => typeof given === 'number' && given >= 0 && given <= lastSecond,
);
// `null` counts as absent: services that serialise empty columns send it.
const words = nullish(text, '');

/** A text or a number; one that JavaScript cannot hold exactly would name another user. */
const uid = read<string | number>('uid', (given) =>
  typeof given === 'string' ? given !== '' : Number.isSafeInteger(given),
);

const persona = list(
  object<{ applicationUrl: string | undefined }>({ applicationUrl: nullish(text, undefined) }),
);

/** The groups. One without entries gives access to no application and counts as absent. */
const personas: Read<Claims['personas']> = (given, key) =>
  Object.values(group(given, key))
    .map((entries) => persona(entries, key))
    .filter((entries) => entries.length > 0)
    .map((entries) => entries.flatMap(({ applicationUrl }) => applicationUrl ?? []));

const expiry = object<{ exp: number }>({ exp: seconds });

const claims = object<Claims>({
  uid: (given, key) => String(uid(given, key)),
  username: words,
  email: words,
  firstName: words,
  method: (given, key) => methods.find((method) => method === words(given, key)) ?? 'other',
  isMfaSetup: nullish(flag, false),
  personas: nullish(personas, []),
  exp: seconds,
  iat: seconds,
});

/**
 * Decodes a token without verifying it: the service does that, and this code only decides what to show.
 * `null`: not a token of the service. Never throws.
 */
export function decodeClaims(token: string): Claims | null {
  return decode(claims, token);
}

/** When a token of the service expires, seconds since the epoch; `null`: not a token, or without `exp`. */
export function expiryOf(token: string): number | null {
  return decode(expiry, token)?.exp ?? null;
}

function decode<T>(reads: Read<T>, token: string): T | null {
  return valueOf(() => reads(jwtDecode<unknown>(token), '')) ?? null;
}
