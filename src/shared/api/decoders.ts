import type * as contract from '@vestibule/contract/schema';
import * as v from 'valibot';
import { decoderOf, filled, isoTime, partOf, type Decoded, type Decoder } from './decoder';

/** The decoders of all responses (docs/behaviour.md#service-contract). A response that does not fit is a failed call. */

const maybe = v.nullish(v.string());

type Present<T> = { readonly [Key in keyof T]?: Exclude<NonNullable<T[Key]>, ''> };

/** Leaves out a key whose value is `undefined`, `null` or empty: all three mean that it is absent. */
function present<T extends object>(fields: T): Present<T> {
  const there = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  // `Object.fromEntries` cannot know that keys and values still belong together.
  return Object.fromEntries(there) as Present<T>;
}

/**
 * Whether a response is a page of HTML, from a portal, a proxy, or the host of the application, which serves one for every
 * path.
 */
const isPage = (response: unknown): boolean =>
  typeof response === 'string' && /^\s*<(?:!doctype\s+)?html\b/i.test(response);

/** Accepts any response except a page of HTML, for calls whose response the contract leaves open. */
export const done: Decoder<contract.DoneResponse, void> = {
  schema: v.pipe(
    v.unknown(),
    v.check((response) => !isPage(response)),
    v.transform(() => undefined),
  ),
};

/** An id may be a number, because some services number their users. */
const id = v.nullish(v.union([v.string(), v.pipe(v.number(), v.transform(String))]));

/** A method of two-step verification: text message or authenticator app. */
export type TwoStepMethod = 'text' | 'app';

/** The method of an `mfaType`. An unknown type counts as the app, which only needs a code. An empty text is none. */
const methodOf = (mfaType: string): TwoStepMethod | undefined => {
  if (mfaType === '') return undefined;
  return mfaType === 'authy' ? 'text' : 'app';
};

export const tokenResponse = decoderOf<contract.TokenResponse>()(
  v.pipe(
    // Extensions add fields, which their features read.
    v.looseObject({
      token: maybe,
      refresh: maybe,
      mfaJWT: maybe,
      mfaRequired: v.nullish(v.boolean()),
      mfaType: v.nullish(v.pipe(v.string(), v.transform(methodOf))),
      authVerificationToken: maybe,
      authyId: id,
      uid: id,
      trustedToken: maybe,
    }),
    v.transform(({ mfaType, ...fields }) => present({ ...fields, secondStep: mfaType })),
  ),
);

/** The token response; which of its fields are present decides what comes next (docs/behaviour.md#token-response). */
export type TokenResponse = Decoded<typeof tokenResponse>;

export const refreshResponse = decoderOf<contract.RefreshResponse>()(
  v.object({ token: filled, refresh: filled }),
);

/** Both tokens of a session. */
export type TokenPair = Decoded<typeof refreshResponse>;

const magicLinkTarget = partOf<contract.MagicLinkTarget>()(
  v.object({
    application: maybe,
    applicationUrl: maybe,
    metaData: v.nullish(v.object({ type: maybe })),
    redirectUrl: maybe,
  }),
);

export const magicLinkResponse = decoderOf<contract.MagicLinkResponse>()(
  v.pipe(
    v.object({
      // The first entry is the target; the others are ignored.
      data: v.pipe(
        v.array(v.unknown()),
        v.check((entries) => entries.length > 0),
        v.transform(([first]) => first),
        magicLinkTarget,
      ),
      token: maybe,
      refreshToken: maybe,
    }),
    v.transform(({ data: { metaData, ...target }, token, refreshToken }) =>
      present({ ...target, type: metaData?.type, token, refreshToken }),
    ),
  ),
);

/** The response to a magic link (docs/behaviour.md#magic-links). */
export type MagicLinkResponse = Decoded<typeof magicLinkResponse>;

export const validatePasswordResponse = decoderOf<contract.ValidatePasswordResponse>()(
  v.object({ authVerificationToken: filled }),
);

/** Start of year 10000 in ms; from then on ISO 8601 uses another format. */
const lastMs = 253_402_300_800_000;
/** A smaller number is seconds: as milliseconds it would be before March 1973, as seconds it reaches the year 5138. */
const firstMs = 100_000_000_000;

/**
 * Reads the time of the last password change, which services write in several forms.
 *
 * @param given - ISO 8601, or seconds or milliseconds since the epoch; absent, `null`, `''` and `0` mean never
 * @returns ISO 8601; `null`: never; `undefined`: not readable
 */
export function lastResetOf(given: unknown): string | null | undefined {
  if (given === undefined || given === null || given === '' || given === 0) return null;
  if (typeof given === 'string' && isoTime.test(given)) return given;
  if (typeof given !== 'number') return undefined;
  const ms = given < firstMs ? given * 1000 : given;
  // eslint-disable-next-line no-restricted-globals -- writes a date; no clock is read
  return ms > 0 && ms < lastMs ? new Date(ms).toISOString() : undefined;
}

/** Absent and `null` mean off; `undefined`: not readable. */
const switchedOn = v.pipe(
  v.optional(v.unknown(), null),
  v.transform((given) => (typeof given === 'boolean' || given === null ? given === true : undefined)),
);

/** Each field is decoded separately, so an unreadable field affects only the section that needs it. */
const attributes = partOf<contract.UserResponse['data']['attributes']>()(
  v.object({
    email: v.pipe(
      v.optional(v.unknown(), ''),
      v.transform((given) => (typeof given === 'string' ? given : '')),
    ),
    authyActive: switchedOn,
    twoFactorActive: switchedOn,
    lastReset: v.pipe(v.optional(v.unknown(), null), v.transform(lastResetOf)),
  }),
);

/** An object with none of these fields is not an account: it must not be shown as one whose two-step verification is off. */
const isAccount = (given: unknown): boolean =>
  typeof given === 'object' &&
  given !== null &&
  Object.keys(attributes.entries).some((name) => name in given);

export const userResponse = decoderOf<contract.UserResponse>()(
  v.pipe(
    v.object({
      data: v.object({
        attributes: v.pipe(
          v.unknown(),
          v.check(isAccount),
          v.transform((given) => given as v.InferInput<typeof attributes>),
          attributes,
        ),
      }),
      accountVersion: v.fallback(v.optional(v.string()), undefined),
    }),
    v.transform(
      ({
        data: {
          attributes: { authyActive, twoFactorActive, ...others },
        },
        accountVersion,
      }) => ({
        ...others,
        isTextActive: authyActive,
        isAppActive: twoFactorActive,
        ...(accountVersion !== undefined && { accountVersion }),
      }),
    ),
  ),
);

/**
 * `lastReset` is ISO 8601, `null` for never, or `undefined` if it cannot be read. `email` is empty if the account has none.
 * `accountVersion` is compared with the version that an event stream names.
 */
export type UserAttributes = Decoded<typeof userResponse>;

export const apiInviteResponse = decoderOf<contract.ApiInviteResponse>()(
  v.object({ apiKey: filled, apiSecret: filled }),
);

/**
 * The last four digits of a phone number, which may be whole or masked, text or a number; `null` if it does not end with four
 * digits.
 */
const lastFourDigits = v.pipe(
  // A number has lost its leading zeros.
  v.union([
    v.string(),
    v.pipe(
      v.number(),
      v.transform((given) => String(given).padStart(4, '0')),
    ),
  ]),
  v.transform((given) => /[0-9]{4}$/.exec(given.replace(/[\s().-]/g, ''))?.[0] ?? null),
);

export const smsAddResponse = decoderOf<contract.SmsAddResponse>()(
  v.object({ lastFourPhone: v.pipe(lastFourDigits, v.string()) }),
);

export const twoFactorAddResponse = decoderOf<contract.TwoFactorAddResponse>()(
  v.object({
    code: filled,
    url: v.pipe(
      v.string(),
      v.check((url) => url.startsWith('otpauth://')),
    ),
  }),
);

export const authyInfoResponse = decoderOf<contract.AuthyInfoResponse>()(
  v.pipe(
    v.object({ status: v.object({ phone_number: lastFourDigits }) }),
    v.transform(({ status }) => ({ lastFourPhone: status.phone_number })),
  ),
);

const entry = partOf<contract.LoginMethod>()(
  v.object({ method: v.string(), configuration: v.optional(v.unknown()) }),
);
const configuration = partOf<contract.MicrosoftConfiguration>()(
  v.object({ tenantId: filled, clientId: filled }),
);

/**
 * A login method. The service may leave out the configuration of Microsoft, which has an error of its own
 * (docs/behaviour.md#authorization-request).
 */
export type LoginMethod =
  | { readonly method: 'basic' }
  | { readonly method: 'google' }
  | { readonly method: 'microsoft'; readonly configuration?: Readonly<contract.MicrosoftConfiguration> };

/** The name of a login method, as it is sent in `method`. */
export type LoginMethodName = LoginMethod['method'];

/**
 * The known login methods, each once, in the order of the service. Unknown and malformed entries are left out. Microsoft
 * stays without a usable configuration, because that has an error of its own.
 */
export const loginMethods = decoderOf<contract.LoginMethods>()(
  v.pipe(
    v.array(v.unknown()),
    v.transform((entries): readonly LoginMethod[] => {
      const known = entries.flatMap((given) => readMethod(given) ?? []);
      return known.filter(
        ({ method }, index) => known.findIndex((other) => other.method === method) === index,
      );
    }),
  ),
);

function readMethod(given: unknown): LoginMethod | null {
  const { success, output } = v.safeParse(entry, given);
  if (!success) return null;
  switch (output.method) {
    case 'basic':
    case 'google':
      return { method: output.method };
    case 'microsoft': {
      const result = v.safeParse(configuration, output.configuration);
      return result.success
        ? { method: output.method, configuration: result.output }
        : { method: output.method };
    }
    default:
      return null;
  }
}
