import { clientDetails, decoderOf, filled, time, unknownOr, type Decoded } from '@shared/api/decoder';
import type { Http } from '@shared/api/http';
import type { SharedDecoders } from '@shared/api/liveApi';
import type * as contract from '@vestibule/contract/schema';
import * as v from 'valibot';

declare module '@shared/api/api' {
  interface Api {
    readonly sessions: ReturnType<typeof calls>;
  }
}

const sessionsResponse = decoderOf<contract.SessionsResponse>()(
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

const trustedDevicesResponse = decoderOf<contract.TrustedDevicesResponse>()(
  v.pipe(
    v.object({
      devices: v.array(v.object({ id: filled, ...clientDetails, trustedAt: time, expiresAt: time })),
    }),
    v.transform(({ devices }) => devices),
  ),
);

/** A device that is not asked for a second step. Times are ISO 8601. */
export type TrustedDevice = Readonly<v.InferOutput<typeof trustedDevicesResponse.schema>[number]>;

const activityEvent = v.object({
  id: filled,
  at: time,
  kind: v.string(),
  method: unknownOr,
  ...clientDetails,
  network: unknownOr,
});

/** `added`: the whole event, from which a feature reads its own fields. */
const withAdded = v.pipe(
  v.custom<v.InferInput<typeof activityEvent>>((given) => typeof given === 'object' && given !== null),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const added: object = dataset.value;
    const event = v.safeParse(activityEvent, added);
    if (event.success) return { ...event.output, added };
    addIssue();
    return NEVER;
  }),
);

const activityResponse = decoderOf<contract.ActivityResponse>()(
  v.pipe(
    v.object({ events: v.array(withAdded), more: v.boolean() }),
    v.transform(({ events, more }) => ({
      entries: events,
      next: more ? (events.at(-1)?.id ?? null) : null,
    })),
  ),
);

/** A page of the activity, newest first. `next` is the event after which the next page begins, or `null`. */
export type ActivityPage = Decoded<typeof activityResponse>;

/** What happened to the account. `at` is ISO 8601. */
export interface ActivityEvent extends Readonly<v.InferOutput<typeof activityEvent>> {
  /** What its feature has added, or `null`. */
  readonly detail: object | null;
}

export const calls = (http: Http, { done }: SharedDecoders) => ({
  list: (bearer: string) =>
    http.get('/auth/v1/sessions', { bearer, segments: {}, decoder: sessionsResponse }),
  end: (bearer: string, body: contract.EndSessionsRequest) =>
    http.post('/auth/v1/sessions/end', { bearer, body, decoder: done }),
  trustedDevices: (bearer: string) =>
    http.get('/auth/v1/trusted-devices', { bearer, segments: {}, decoder: trustedDevicesResponse }),
  forgetDevices: (bearer: string, body: contract.ForgetDevicesRequest) =>
    http.post('/auth/v1/trusted-devices/forget', { bearer, body, decoder: done }),
  /** @param before - the `next` of the page before */
  activity: (bearer: string, before?: string) =>
    http.get('/auth/v1/activity', {
      bearer,
      segments: {},
      ...(before !== undefined && { query: { before } }),
      decoder: activityResponse,
    }),
});
