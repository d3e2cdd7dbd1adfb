import { hedgedRequest, type Timing } from '@vestibule/client/hedgedRequest';
import { ApiError } from './apiError';
import type * as contract from '@vestibule/contract/schema';
import {
  apiInviteResponse,
  authyInfoResponse,
  done,
  loginMethods,
  magicLinkResponse,
  refreshResponse,
  smsAddResponse,
  tokenResponse,
  twoFactorAddResponse,
  userResponse,
  validatePasswordResponse,
  type TokenPair,
  type TwoStepMethod,
} from './decoders';
import { createHttp, type Http, type HttpOptions } from './http';

/** Every call of the specification, by group and name. */
export type LiveApi = Readonly<Omit<Transport, 'made'>>;
export type Transport = ReturnType<typeof createLiveApi>;

/** Makes the calls of a feature. `decoders` are those that it shares with this file. */
export type MakeCalls = (http: Http, decoders: SharedDecoders) => object;
export type SharedDecoders = typeof sharedDecoders;

const sharedDecoders = { done, tokenResponse, validatePasswordResponse };

/** The options of the calls. */
export interface LiveApiOptions extends HttpOptions {
  /** `refreshGraceSeconds` of the configuration. */
  readonly refreshGraceSeconds?: number | undefined;
}

/** Makes all calls. This file imports axios and the decoders, which the first paint of `/login` does not need. */
export function createLiveApi(options: LiveApiOptions) {
  const http = createHttp(options);
  return {
    auth: authCalls(http, options),
    users: userCalls(http),
    mfa: mfaCalls(http),
    password: passwordCalls(http),
    made: (make: MakeCalls): object => make(http, sharedDecoders),
  };
}

/** Calls under `/user-management/v1`. */
const userCalls = (http: Http) => ({
  attributes: (bearer: string, uid: string) =>
    http.get('/user-management/v1/users/{uid}', { bearer, segments: { uid }, decoder: userResponse }),
  apiInvite: (hash: string) =>
    http.get('/user-management/v1/api-users/invite/link/{hash}', {
      segments: { hash },
      decoder: apiInviteResponse,
    }),
});

/** The calls under `/mfa/v1`. Each needs the bearer: the session token, or in setup mode the `mfaToken`. */
const mfaCalls = (http: Http) => ({
  validateSetup: (
    bearer: string,
    {
      method,
      ...body
    }: Omit<contract.ValidateSetupRequest, 'mfaRegistering'> & {
      readonly method: TwoStepMethod;
    },
  ) =>
    http.post('/mfa/v1/validate-setup', {
      bearer,
      body: { ...body, mfaRegistering: method === 'text' ? 'authy' : 'mfa' },
      decoder: done,
    }),
  addPhone: (bearer: string, body: Omit<contract.SmsAddRequest, 'register'>) =>
    http.post('/mfa/v1/sms-authy-add', {
      bearer,
      body: { ...body, register: true },
      decoder: smsAddResponse,
    }),
  addAuthenticator: (bearer: string, body: contract.TwoFactorAddRequest) =>
    http.post('/mfa/v1/twofactor-add', { bearer, body, decoder: twoFactorAddResponse }),
  disable: (bearer: string, body: contract.DisableMfaRequest) =>
    http.post('/mfa/v1/disable', { bearer, body, decoder: done }),
  activePhone: (bearer: string) =>
    http.get('/mfa/v1/authy-info', { bearer, segments: {}, decoder: authyInfoResponse }),
});

/** Calls under `/password-reset/v1`. */
const passwordCalls = (http: Http) => ({
  forgot: (email: string) =>
    http.post('/password-reset/v1/forgot-password', { body: { email }, decoder: done }),
  reset: (body: Omit<contract.PasswordResetRequest, 'method'>) =>
    http.post('/password-reset/v1/password-reset', { body: { ...body, method: 'basic' }, decoder: done }),
  change: (bearer: string, body: contract.PasswordChangeRequest) =>
    http.post('/password-reset/v1/password-reset-manual', { bearer, body, decoder: done }),
  activate: (body: Omit<contract.ActivateRequest, 'method'>) =>
    http.post('/password-reset/v1/activate', { body: { ...body, method: 'basic' }, decoder: done }),
});

/**
 * The body of a token call that signs a user in. `resend` is not sent: it distinguishes a request for a new text message from
 * a forgotten code.
 */
type TokenRequest =
  | contract.PasswordTokenRequest
  | contract.GoogleTokenRequest
  | contract.MicrosoftTokenRequest
  | contract.MfaCodeTokenRequest
  | (contract.ResendTokenRequest & { readonly resend: true });

/** Calls under `/auth/v1`. */
export const authCalls = (
  http: Http,
  { clock, refreshGraceSeconds = 0 }: Pick<LiveApiOptions, 'clock' | 'refreshGraceSeconds'>,
) => ({
  methods: (username: string) =>
    http.get('/auth/v1/method/{username}', { segments: { username }, decoder: loginMethods }),
  token: (request: TokenRequest) => {
    const { resend: _notSent, ...body } = { resend: undefined, ...request };
    return http.post('/auth/v1/token', { body, decoder: tokenResponse });
  },
  exchangeMagicLink: (magiclinkId: string) =>
    http.post('/auth/v1/token', { body: { magiclinkId, method: 'magiclink' }, decoder: magicLinkResponse }),
  /**
   * The call is given up after 10 s. Until then the token may be sent again if there is no response
   * (docs/behaviour.md#refresh-call).
   */
  refresh: singleFlight(async (refresh): Promise<TokenPair> => {
    const refreshOf = async (timing: Timing) => {
      try {
        return {
          tokens: await http.post('/auth/v1/refresh', {
            ...{ body: { refresh }, decoder: refreshResponse },
            ...timing,
          }),
        };
      } catch (error) {
        if (error instanceof ApiError && hasNoResponse(error)) throw error;
        return { error };
      }
    };
    const response = await hedgedRequest(refreshOf, clock, refreshGraceSeconds * 1000).catch(throwFirst);
    if ('error' in response) throw response.error;
    return response.tokens;
  }),
  validatePassword: (bearer: string, body: contract.ValidatePasswordRequest) =>
    http.post('/auth/v1/validate-password', { bearer, body, decoder: validatePasswordResponse }),
});

const hasNoResponse = ({ kind }: ApiError): boolean => kind === 'network' || kind === 'timeout';

/** @throws the error of the first of several calls */
function throwFirst(error: unknown): never {
  throw error instanceof AggregateError ? error.errors[0] : error;
}

/**
 * Gives the response of a call in progress to further callers instead of making it again. A page that is left releases its
 * lock, and if it is restored before the response arrives, it must not send the token again.
 */
function singleFlight<T>(send: (token: string) => Promise<T>): (token: string) => Promise<T> {
  const outstanding = new Map<string, Promise<T>>();
  return (token) => {
    const response = outstanding.get(token) ?? send(token).finally(() => outstanding.delete(token));
    outstanding.set(token, response);
    return response;
  };
}
