import { jwtDecode } from 'jwt-decode';
import * as v from 'valibot';

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
const seconds = v.pipe(
  v.number(),
  v.check((given) => given >= 0 && given <= lastSecond),
);
// `null` counts as absent: services that serialise empty columns send it.
const words = v.nullish(v.string(), '');

/** A text or a number; one that JavaScript cannot hold exactly would name another user. */
const uid = v.pipe(
  v.union([v.string(), v.number()]),
  v.check((given) => given !== '' && (typeof given === 'string' || Number.isSafeInteger(given))),
  v.transform(String),
);

const persona = v.array(v.object({ applicationUrl: v.nullish(v.string()) }));

/** The groups. One without entries gives access to no application and counts as absent. */
const personas = v.pipe(
  v.record(v.string(), persona),
  v.transform((groups) =>
    Object.values(groups)
      .filter((entries) => entries.length > 0)
      .map((entries) => entries.flatMap(({ applicationUrl }) => applicationUrl ?? [])),
  ),
);

const expiry = v.object({ exp: seconds });

const claims = v.object({
  uid,
  username: words,
  email: words,
  firstName: words,
  method: v.pipe(
    words,
    v.transform((given) => methods.find((method) => method === given) ?? 'other'),
  ),
  isMfaSetup: v.nullish(v.boolean(), false),
  personas: v.nullish(personas, {}),
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

function decode<Schema extends v.GenericSchema>(schema: Schema, token: string): v.InferOutput<Schema> | null {
  try {
    const result = v.safeParse(schema, jwtDecode<unknown>(token));
    return result.success ? result.output : null;
  } catch {
    return null;
  }
}
