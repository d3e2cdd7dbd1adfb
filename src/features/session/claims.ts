import { jwtDecode } from 'jwt-decode';
import * as v from 'valibot';

/** What the application uses of a decoded access token. Never the token itself. */
export interface Claims {
  readonly uid: string;
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  /** `basic`: with a password; `other`: through a provider. */
  readonly method: 'basic' | 'other';
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
const seconds = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(lastSecond));
// `null` counts as absent: services that serialise empty columns send it.
const text = v.nullish(v.string(), '');

/** A text or a number; one that JavaScript cannot hold exactly would name another user. */
const uid = v.custom<string | number>((given) =>
  typeof given === 'string' ? given !== '' : Number.isSafeInteger(given),
);

const expirySchema = v.object({ exp: seconds });

const tokenSchema = v.pipe(
  v.object({
    uid: v.pipe(uid, v.transform(String)),
    username: text,
    email: text,
    firstName: text,
    method: v.nullish(v.string(), 'other'),
    isMfaSetup: v.nullish(v.boolean(), false),
    personas: v.nullish(
      v.record(v.string(), v.array(v.object({ applicationUrl: v.nullish(v.string()) }))),
      {},
    ),
    exp: seconds,
    iat: seconds,
  }),
  v.transform(({ method, personas, ...facts }): Claims => ({
    ...facts,
    method: method === 'basic' ? 'basic' : 'other',
    // A group without entries gives access to no application and counts as absent.
    personas: Object.values(personas)
      .filter((entries) => entries.length > 0)
      .map((entries) => entries.flatMap(({ applicationUrl }) => applicationUrl ?? [])),
  })),
);

/**
 * Decodes a token without verifying it: the service does that, and this code only decides what to show.
 * `null`: not a token of the service. Never throws.
 */
export function decodeClaims(token: string): Claims | null {
  return decode(tokenSchema, token);
}

/** When a token of the service expires, seconds since the epoch; `null`: not a token, or without `exp`. */
export function expiryOf(token: string): number | null {
  return decode(expirySchema, token)?.exp ?? null;
}

function decode<T extends v.GenericSchema>(schema: T, token: string): v.InferOutput<T> | null {
  try {
    const result = v.safeParse(schema, jwtDecode<unknown>(token));
    return result.success ? result.output : null;
  } catch {
    return null;
  }
}
