import { decoderOf, filled, time, unknownOr, type Decoded } from '@shared/api/decoder';
import type { Http } from '@shared/api/http';
import type { SharedDecoders } from '@shared/api/liveApi';
import type * as contract from '@vestibule/contract/schema';
import * as v from 'valibot';

declare module '@shared/api/api' {
  interface Api {
    readonly confirmations: ReturnType<typeof calls>;
  }
}

const states = ['open', 'confirmed', 'declined', 'failed', 'expired'] as const;

const confirmationResponse = decoderOf<contract.ConfirmationResponse>()(
  v.pipe(
    v.object({
      application: v.object({ name: filled }),
      amount: v.object({ value: filled, currency: filled }),
      payee: v.object({ name: filled, account: v.optional(filled) }),
      reference: unknownOr,
      state: v.picklist(states),
      methods: v.array(v.string()),
      // A service of the previous version, with which the page may run for a while, leaves these three out.
      waiting: v.optional(v.array(v.object({ method: v.string(), from: time })), []),
      blockedUntil: v.nullish(time, null),
      needsIdentity: v.optional(v.boolean(), false),
      returnUrl: unknownOr,
      expiresAt: time,
    }),
    v.transform(({ application, amount, payee, reference, ...rest }) => ({
      ...rest,
      payment: { application, amount, payee, reference },
    })),
  ),
);

/** The payment that the user is asked to confirm, and how. Times are ISO 8601. */
export type Confirmation = Decoded<typeof confirmationResponse>;

const answeredResponse = decoderOf<contract.ConfirmationAnsweredResponse>()(
  v.pipe(
    v.object({ state: v.picklist(states) }),
    v.transform(({ state }) => state),
  ),
);

const textResponse = decoderOf<contract.ConfirmationTextResponse>()(v.object({ lastFourPhone: filled }));

/** Options for the browser, which checks them itself. */
const passkeyOptions = decoderOf<contract.PasskeyRequestOptions>()(
  v.object({
    challengeToken: filled,
    publicKey: v.custom<contract.PasskeyRequestOptions['publicKey']>(
      (given) => typeof given === 'object' && given !== null,
    ),
  }),
);

const elementsResponse = decoderOf<contract.PaymentElementsResponse>()(
  v.object({
    elements: v.array(
      v.object({
        method: v.string(),
        id: unknownOr,
        name: unknownOr,
        confirmsFrom: v.nullish(time, null),
        needsSignIn: v.boolean(),
      }),
    ),
    methods: v.array(v.string()),
  }),
);

/** The passkeys and the phone that do not confirm payments yet, and the methods by which the user can permit a passkey. */
export type PaymentElements = Decoded<typeof elementsResponse>;

const path = '/auth/v1/confirmations/{id}';
const elements = '/auth/v1/payment-elements';

export const calls = (http: Http, { done }: SharedDecoders) => ({
  confirmation: (bearer: string, id: string) =>
    http.get(path, { bearer, segments: { id }, decoder: confirmationResponse }),
  passkeyOptions: (bearer: string, id: string) =>
    http.post(`${path}/passkey/options`, { bearer, segments: { id }, body: {}, decoder: passkeyOptions }),
  /** This call and the next three respond with the state. */
  byPasskey: (bearer: string, id: string, body: contract.PasskeyAssertionRequest) =>
    http.post(`${path}/passkey`, { bearer, segments: { id }, body, decoder: answeredResponse }),
  byCode: (bearer: string, id: string, code: string) =>
    http.post(`${path}/code`, { bearer, segments: { id }, body: { code }, decoder: answeredResponse }),
  decline: (bearer: string, id: string) =>
    http.post(`${path}/decline`, { bearer, segments: { id }, body: {}, decoder: answeredResponse }),
  proveIdentity: (bearer: string, id: string, body: contract.ConfirmationIdentityRequest) =>
    http.post(`${path}/identity`, { bearer, segments: { id }, body, decoder: answeredResponse }),
  sendText: (bearer: string, id: string) =>
    http.post(`${path}/text`, { bearer, segments: { id }, body: {}, decoder: textResponse }),
  elements: (bearer: string) => http.get(elements, { bearer, segments: {}, decoder: elementsResponse }),
  /** These calls permit the passkey `id` to confirm payments. */
  permissionOptions: (bearer: string, id: string) =>
    http.post(`${elements}/passkey/options`, { bearer, body: { id }, decoder: passkeyOptions }),
  permitByPasskey: (bearer: string, body: contract.PermitByPasskeyRequest) =>
    http.post(`${elements}/passkey`, { bearer, body, decoder: done }),
  sendPermissionCode: (bearer: string, id: string) =>
    http.post(`${elements}/text`, { bearer, body: { id }, decoder: textResponse }),
  permitByCode: (bearer: string, body: contract.PermitByCodeRequest) =>
    http.post(`${elements}/code`, { bearer, body, decoder: done }),
});
