import { clientDetails, decoderOf, filled, time, unknownOr, type Decoded } from '@shared/api/decoder';
import type { Http } from '@shared/api/http';
import type * as contract from '@vestibule/contract/schema';
import * as v from 'valibot';

declare module '@shared/api/api' {
  interface Api {
    readonly notices: ReturnType<typeof calls>;
  }
}

const knownDeviceResponse = decoderOf<contract.KnownDeviceResponse>()(v.object({ deviceToken: filled }));

const noticeResponse = decoderOf<contract.NoticeResponse>()(
  v.object({
    kind: v.string(),
    at: time,
    ...clientDetails,
    network: unknownOr,
    state: v.picklist(['open', 'confirmed', 'denied', 'expired']),
  }),
);

/** The event that the owner of the account is asked about. `at` is ISO 8601. */
export type SecurityNotice = Decoded<typeof noticeResponse>;

/** The response has the hash of a reset link, or `null`. */
const answerResponse = decoderOf<contract.AnswerNoticeResponse>()(
  v.pipe(
    v.object({ resetHash: v.nullish(v.string(), null) }),
    v.transform(({ resetHash }) => (resetHash === '' ? null : resetHash)),
  ),
);

export const calls = (http: Http) => ({
  /** Called after each sign-in. The call continues when the page is left. */
  know: (bearer: string, body: contract.KnownDeviceRequest) =>
    http.post('/auth/v1/devices/known', { bearer, body, decoder: knownDeviceResponse, keepalive: true }),
  notice: (hash: string) =>
    http.get('/auth/v1/notices/{hash}', { segments: { hash }, decoder: noticeResponse }),
  answer: (hash: string, mine: boolean) =>
    http.post('/auth/v1/notices/{hash}', { segments: { hash }, body: { mine }, decoder: answerResponse }),
});
