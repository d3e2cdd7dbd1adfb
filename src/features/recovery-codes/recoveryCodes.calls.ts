import type * as contract from '@vestibule/contract/schema';
import { decoderOf, filled } from '@shared/api/decoder';
import type { Http } from '@shared/api/http';
import type { SharedDecoders } from '@shared/api/liveApi';
import * as v from 'valibot';

declare module '@shared/api/api' {
  interface Api {
    readonly recovery: ReturnType<typeof calls>;
  }
}

const countResponse = decoderOf<contract.RecoveryCodesResponse>()(
  v.pipe(
    v.object({ remaining: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
    v.transform(({ remaining }) => remaining),
  ),
);

const newCodesResponse = decoderOf<contract.NewRecoveryCodesResponse>()(
  v.pipe(
    v.object({ codes: v.pipe(v.array(filled), v.minLength(1)) }),
    v.transform(({ codes }) => codes),
  ),
);

export const calls = (http: Http, { tokenResponse }: SharedDecoders) => ({
  /** The number of codes that are left. */
  count: (bearer: string) =>
    http.get('/auth/v1/recovery-codes', { bearer, segments: {}, decoder: countResponse }),
  make: (bearer: string, body: contract.MakeRecoveryCodesRequest) =>
    http.post('/auth/v1/recovery-codes', { bearer, body, decoder: newCodesResponse }),
  /** Replaces the token call with a code. */
  use: (body: contract.UseRecoveryCodeRequest) =>
    http.post('/auth/v1/recovery-codes/use', { body, decoder: tokenResponse }),
});
