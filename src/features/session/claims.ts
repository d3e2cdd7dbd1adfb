import { jwtDecode } from 'jwt-decode';
import * as v from 'valibot';

/** What the application uses of a decoded access token (specification §3). Facts only: never the token itself. */
export interface Claims {
  readonly uid: string;
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  /** `basic` has a password; everybody else signs in through a provider. */
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
// `null` is absence: services that serialise empty columns write it.
const text = v.nullish(v.string(), '');

/** As text or as a number; one beyond what JavaScript can hold exactly would name another person. */
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
    // A group without entries reaches no application: as if it were not there.
    personas: Object.values(personas)
      .filter((entries) => entries.length > 0)
      .map((entries) => entries.flatMap(({ applicationUrl }) => applicationUrl ?? [])),
  })),
);

/**
 * Decodes a token without verifying it: that is the service's work, and this code only decides what to show.
 * `null`: not a token of ours. Never throws, whatever the text.
 */
export function decodeClaims(token: string): Claims | null {
  return decode(tokenSchema, token);
}

/** When any token of the service ends, seconds since the epoch; `null`: it is not a token, or does not say. */
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
