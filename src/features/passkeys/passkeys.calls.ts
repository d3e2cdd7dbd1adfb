import type * as contract from '@vestibule/contract/schema';
import * as v from 'valibot';
import { decoderOf, filled, time, type Decoded } from '@shared/api/decoder';
import type { Http } from '@shared/api/http';
import type { SharedDecoders } from '@shared/api/liveApi';

declare module '@shared/api/api' {
  interface Api {
    readonly passkeys: ReturnType<typeof calls>;
  }
}

const isObject = (given: unknown): boolean => typeof given === 'object' && given !== null;

/** Options for the browser, which checks them itself and may support more of them than the contract. */
const passkeyRequestOptions = decoderOf<contract.PasskeyRequestOptions>()(
  v.object({
    challengeToken: filled,
    publicKey: v.custom<contract.PasskeyRequestOptions['publicKey']>(isObject),
  }),
);

const passkeyAddOptions = decoderOf<contract.PasskeyCreationOptions>()(
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

const passkeyAdded = decoderOf<contract.PasskeyEntry>()(passkeyEntry);

const passkeysResponse = decoderOf<contract.PasskeysResponse>()(
  v.object({ userId: filled, passkeys: v.array(passkeyEntry) }),
);

/** A passkey of the account. `id` is the credential id. Times are ISO 8601, and `lastUsedAt` is `null` for never. */
export type PasskeyEntry = Decoded<typeof passkeyAdded>;

export const calls = (http: Http, { done, tokenResponse, validatePasswordResponse }: SharedDecoders) => ({
  /** @param body - without a username for any passkey of the browser */
  signInOptions: (body: contract.PasskeySignInOptionsRequest) =>
    http.post('/auth/v1/passkeys/sign-in/options', { body, decoder: passkeyRequestOptions }),
  signIn: (body: contract.PasskeyAssertionRequest) =>
    http.post('/auth/v1/passkeys/sign-in', { body, decoder: tokenResponse }),
  verifyOptions: (bearer: string) =>
    http.post('/auth/v1/passkeys/verify/options', { bearer, body: {}, decoder: passkeyRequestOptions }),
  verify: (bearer: string, body: contract.PasskeyAssertionRequest) =>
    http.post('/auth/v1/passkeys/verify', { bearer, body, decoder: validatePasswordResponse }),
  list: (bearer: string) =>
    http.get('/auth/v1/passkeys', { bearer, segments: {}, decoder: passkeysResponse }),
  addOptions: (bearer: string, body: contract.PasskeyAddOptionsRequest) =>
    http.post('/auth/v1/passkeys/add/options', { bearer, body, decoder: passkeyAddOptions }),
  /** The call continues when the page is left. */
  add: (bearer: string, body: contract.PasskeyAddRequest) =>
    http.post('/auth/v1/passkeys/add', { bearer, body, decoder: passkeyAdded, keepalive: true }),
  rename: (bearer: string, body: contract.RenamePasskeyRequest) =>
    http.post('/auth/v1/passkeys/rename', { bearer, body, decoder: done }),
  remove: (bearer: string, body: contract.RemovePasskeyRequest) =>
    http.post('/auth/v1/passkeys/remove', { bearer, body, decoder: done }),
});
