import type * as contract from '@vestibule/contract/schema';
import { done, tokenResponse, validatePasswordResponse } from './decoders';
import {
  activityResponse,
  answerNoticeResponse,
  knownDeviceResponse,
  newRecoveryCodesResponse,
  noticeResponse,
  recoveryCodesResponse,
  passkeyAddOptions,
  passkeyAdded,
  passkeyRequestOptions,
  passkeysResponse,
  sessionsResponse,
  trustedDevicesResponse,
} from './extensionDecoders';
import type { Http } from './http';

export type ExtensionCalls = ReturnType<typeof extensionCalls>;

/** The calls of extensions, by group and name. A page without an extension does not load them. */
export const extensionCalls = (http: Http) => ({
  devices: deviceCalls(http),
  recovery: recoveryCalls(http),
  passkeys: passkeyCalls(http),
});

/** Calls of the extensions `sessions` and `notices`. Only where the configuration lists it. */
const deviceCalls = (http: Http) => ({
  sessions: (bearer: string) =>
    http.get('/auth/v1/sessions', { bearer, segments: {}, decoder: sessionsResponse }),
  endSessions: (bearer: string, body: contract.EndSessionsRequest) =>
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
  /** After each sign-in. Goes on when the page is left. */
  know: (bearer: string, body: contract.KnownDeviceRequest) =>
    http.post('/auth/v1/devices/known', { bearer, body, decoder: knownDeviceResponse, keepalive: true }),
  notice: (hash: string) =>
    http.get('/auth/v1/notices/{hash}', { segments: { hash }, decoder: noticeResponse }),
  answerNotice: (hash: string, mine: boolean) =>
    http.post('/auth/v1/notices/{hash}', {
      segments: { hash },
      body: { mine },
      decoder: answerNoticeResponse,
    }),
});

/** Calls of the extension `recovery-codes`. */
const recoveryCalls = (http: Http) => ({
  /** How many are left. */
  count: (bearer: string) =>
    http.get('/auth/v1/recovery-codes', { bearer, segments: {}, decoder: recoveryCodesResponse }),
  make: (bearer: string, body: contract.MakeRecoveryCodesRequest) =>
    http.post('/auth/v1/recovery-codes', { bearer, body, decoder: newRecoveryCodesResponse }),
  /** Replaces the token call with a code. Only the token of the challenge is sent. */
  use: (request: Omit<contract.UseRecoveryCodeRequest, 'code'> & { readonly recoveryCode: string }) => {
    const { username, method, authVerificationToken, recoveryCode: code, trust } = request;
    const body = { username, method, authVerificationToken, code, ...(trust && { trust }) };
    return http.post('/auth/v1/recovery-codes/use', { body, decoder: tokenResponse });
  },
});

/** Calls of the extension `passkeys`. Only where the configuration lists it. */
const passkeyCalls = (http: Http) => ({
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
  /** Goes on when the page is left. */
  add: (bearer: string, body: contract.PasskeyAddRequest) =>
    http.post('/auth/v1/passkeys/add', { bearer, body, decoder: passkeyAdded, keepalive: true }),
  rename: (bearer: string, body: contract.RenamePasskeyRequest) =>
    http.post('/auth/v1/passkeys/rename', { bearer, body, decoder: done }),
  remove: (bearer: string, body: contract.RemovePasskeyRequest) =>
    http.post('/auth/v1/passkeys/remove', { bearer, body, decoder: done }),
});
