import type * as contract from '@contract/schema.gen';
import * as v from 'valibot';
import type { MagicLinkAnswer } from './api';
import { decoderOf, partOf } from './decoder';

/** Every answer, checked at the edge (decisions §2). What does not fit is a failed call. */

const filled = v.pipe(v.string(), v.nonEmpty());
const maybe = v.nullish(v.string());

type Present<T> = { readonly [Key in keyof T]?: Exclude<NonNullable<T[Key]>, ''> };

/** `undefined`, `null` and empty text all say "not there"; a key that is left out says it in one way. */
function present<T extends object>(fields: T): Present<T> {
  const there = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  // `Object.fromEntries` cannot know that keys and values still belong together.
  return Object.fromEntries(there) as Present<T>;
}

const jsonObject = v.custom<Record<string, unknown>>(
  (answer) => typeof answer === 'object' && answer !== null && !Array.isArray(answer),
);

/** The answer of calls whose answer nobody reads. It must be JSON all the same: a portal's page is not a success. */
export const done = decoderOf<contract.DoneAnswer>()(
  v.pipe(
    v.optional(jsonObject),
    v.transform(() => undefined),
  ),
);

export const tokenAnswer = decoderOf<contract.TokenAnswer>()(
  v.pipe(
    v.object({
      token: maybe,
      refresh: maybe,
      mfaJWT: maybe,
      mfaRequired: v.nullish(v.boolean()),
      mfaType: v.nullish(v.picklist(['authy', 'mfa'])),
      authVerificationToken: maybe,
      authyId: v.nullish(v.union([v.string(), v.pipe(v.number(), v.transform(String))])),
      uid: maybe,
      trustedToken: maybe,
    }),
    v.transform(present),
  ),
);

export const refreshAnswer = decoderOf<contract.RefreshAnswer>()(
  v.object({ token: filled, refresh: filled }),
);

const magicLinkTarget = partOf<contract.MagicLinkTarget>()(
  v.object({
    application: maybe,
    applicationUrl: maybe,
    metaData: v.nullish(v.object({ type: maybe })),
    redirectUrl: maybe,
  }),
);

export const magicLinkAnswer = decoderOf<contract.MagicLinkAnswer>()(
  v.pipe(
    v.object({
      // The first entry is the target (specification §7); what follows it is not looked at.
      data: v.pipe(
        v.array(v.unknown()),
        v.minLength(1),
        v.transform(([first]) => first),
        magicLinkTarget,
      ),
      token: maybe,
      refreshToken: maybe,
    }),
    v.transform(({ data: { metaData, ...target }, token, refreshToken }): MagicLinkAnswer =>
      present({ ...target, type: metaData?.type, token, refreshToken }),
    ),
  ),
);

export const validatePasswordAnswer = decoderOf<contract.ValidatePasswordAnswer>()(
  v.object({ authVerificationToken: filled }),
);

export const userAnswer = decoderOf<contract.UserAnswer>()(
  v.pipe(
    v.object({
      data: v.object({
        attributes: v.object({
          email: filled,
          authyActive: v.boolean(),
          twoFactorActive: v.boolean(),
          lastReset: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
        }),
      }),
    }),
    v.transform(({ data }) => data.attributes),
  ),
);

export const apiInviteAnswer = decoderOf<contract.ApiInviteAnswer>()(
  v.object({ apiKey: filled, apiSecret: filled }),
);

export const smsAddAnswer = decoderOf<contract.SmsAddAnswer>()(
  v.object({ lastFourPhone: v.pipe(v.string(), v.regex(/^[0-9]{4}$/)) }),
);

export const twoFactorAddAnswer = decoderOf<contract.TwoFactorAddAnswer>()(
  v.object({ code: filled, url: v.pipe(v.string(), v.startsWith('otpauth://')) }),
);

export const authyInfoAnswer = decoderOf<contract.AuthyInfoAnswer>()(
  v.pipe(
    v.object({ status: v.object({ phone_number: filled }) }),
    v.transform(({ status }) => ({ phoneNumber: status.phone_number })),
  ),
);
