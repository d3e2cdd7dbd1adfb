import type * as contract from '@vestibule/contract/schema';
import * as v from 'valibot';
import { decoderOf } from './decoder';
import { filled, isoTime, type Decoded } from './decoders';

/** The responses of the extensions, as in `decoders.ts`. */

const unknownOr = v.nullish(v.string(), null);
/** Where something happened; `null`: unknown. */
const clientDetails = { browser: unknownOr, system: unknownOr };
const time = v.pipe(
  v.string(),
  v.check((text) => isoTime.test(text)),
);

export const sessionsResponse = decoderOf<contract.SessionsResponse>()(
  v.pipe(
    v.object({
      sessions: v.array(
        v.object({
          id: filled,
          current: v.boolean(),
          startedAt: time,
          lastSeenAt: time,
          method: v.string(),
          ...clientDetails,
          network: unknownOr,
        }),
      ),
    }),
    v.transform(({ sessions }) => sessions),
  ),
);

/** A place where the user is signed in. Times are ISO 8601. */
export type SessionEntry = Readonly<v.InferOutput<typeof sessionsResponse.schema>[number]>;

export const trustedDevicesResponse = decoderOf<contract.TrustedDevicesResponse>()(
  v.pipe(
    v.object({
      devices: v.array(v.object({ id: filled, ...clientDetails, trustedAt: time, expiresAt: time })),
    }),
    v.transform(({ devices }) => devices),
  ),
);

/** A device that is not asked for a second step. Times are ISO 8601. */
export type TrustedDevice = Readonly<v.InferOutput<typeof trustedDevicesResponse.schema>[number]>;

const activityKinds = [
  ...['signed-in', 'sign-in-failed', 'password-changed', 'mfa-changed', 'passkey-added'],
  ...['passkey-removed', 'recovery-code-used', 'locked', 'session-ended'],
] as const;

export const activityResponse = decoderOf<contract.ActivityResponse>()(
  v.pipe(
    v.object({
      events: v.array(
        v.object({
          id: filled,
          at: time,
          kind: v.string(),
          method: unknownOr,
          ...clientDetails,
          network: unknownOr,
        }),
      ),
      more: v.boolean(),
    }),
    v.transform(({ events, more }) => ({
      // Kinds that are not known are left out.
      entries: events.flatMap(({ kind, ...event }) => {
        const known = activityKinds.find((one) => one === kind);
        return known ? [{ ...event, kind: known }] : [];
      }),
      next: more ? (events.at(-1)?.id ?? null) : null,
    })),
  ),
);

/** A page of the activity, newest first. `next`: the event after which the next page begins; `null`: there is none. */
export type ActivityPage = Decoded<typeof activityResponse>;
/** What happened to the account. `at` is ISO 8601. */
export type ActivityEvent = Readonly<ActivityPage['entries'][number]>;

export const knownDeviceResponse = decoderOf<contract.KnownDeviceResponse>()(
  v.object({ deviceToken: filled }),
);

const noticeKinds = [
  ...activityKinds,
  ...(['new-device', 'phone-changed', 'recovery-codes-made', 'token-reused', 'second-step-missed'] as const),
];

export const noticeResponse = decoderOf<contract.NoticeResponse>()(
  v.object({
    kind: v.pipe(
      v.string(),
      v.transform((given) => noticeKinds.find((kind) => kind === given) ?? 'other'),
    ),
    at: time,
    ...clientDetails,
    network: unknownOr,
    state: v.picklist(['open', 'confirmed', 'denied', 'expired']),
  }),
);

/** An event that the owner of the account is asked about. `at` is ISO 8601; `other`: a kind that is not known. */
export type SecurityNotice = Decoded<typeof noticeResponse>;

/** The hash of a reset link; `null`: there is none. */
export const answerNoticeResponse = decoderOf<contract.AnswerNoticeResponse>()(
  v.pipe(
    v.object({ resetHash: v.nullish(v.string(), null) }),
    v.transform(({ resetHash }) => (resetHash === '' ? null : resetHash)),
  ),
);

/** How many recovery codes are left. */
export const recoveryCodesResponse = decoderOf<contract.RecoveryCodesResponse>()(
  v.pipe(
    v.object({ remaining: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
    v.transform(({ remaining }) => remaining),
  ),
);

export const newRecoveryCodesResponse = decoderOf<contract.NewRecoveryCodesResponse>()(
  v.pipe(
    v.object({ codes: v.pipe(v.array(filled), v.minLength(1)) }),
    v.transform(({ codes }) => codes),
  ),
);

const isObject = (given: unknown): boolean => typeof given === 'object' && given !== null;

/** Options for the browser, which checks them itself and may support more of them than the contract. */
export const passkeyRequestOptions = decoderOf<contract.PasskeyRequestOptions>()(
  v.object({
    challengeToken: filled,
    publicKey: v.custom<contract.PasskeyRequestOptions['publicKey']>(isObject),
  }),
);

export const passkeyAddOptions = decoderOf<contract.PasskeyCreationOptions>()(
  v.object({
    challengeToken: filled,
    publicKey: v.custom<contract.PasskeyCreationOptions['publicKey']>(isObject),
  }),
);

const passkeyEntry = v.object({
  id: filled,
  name: v.string(),
  createdAt: time,
  lastUsedAt: v.nullish(time, null),
  isSynced: v.boolean(),
});

export const passkeyAdded = decoderOf<contract.PasskeyEntry>()(passkeyEntry);

export const passkeysResponse = decoderOf<contract.PasskeysResponse>()(
  v.object({ userId: filled, passkeys: v.array(passkeyEntry) }),
);

/** A passkey of the account. `id`: as the browser names it; times are ISO 8601, `lastUsedAt` `null` for never. */
export type PasskeyEntry = Decoded<typeof passkeyAdded>;
