import type { Api, AuthApi, MfaApi, PasswordApi, UsersApi } from './api';
import {
  apiInviteAnswer,
  authyInfoAnswer,
  done,
  loginMethods,
  magicLinkAnswer,
  refreshAnswer,
  smsAddAnswer,
  tokenAnswer,
  twoFactorAddAnswer,
  userAnswer,
  validatePasswordAnswer,
} from './decoders';
import { createHttp, type Http, type HttpOptions } from './http';
import { untilAnswered } from './untilAnswered';

/** The calls themselves, without the door that loads them. */
export type LiveApi = Omit<Api, 'warmUp'>;

/** What the calls need. */
export interface LiveApiOptions extends HttpOptions {
  /** `refreshGraceSeconds` of the configuration. */
  readonly refreshGraceSeconds?: number | undefined;
}

/** Everything heavy hangs on this file (axios, the decoders), so that `/login` can be drawn without it. */
export function createLiveApi(options: LiveApiOptions): LiveApi {
  const http = createHttp(options);
  return {
    auth: createAuthApi(http, options),
    users: createUsersApi(http),
    mfa: createMfaApi(http),
    password: createPasswordApi(http),
  };
}

/** Calls under `/user-management/v1`. */
function createUsersApi(http: Http): UsersApi {
  return {
    attributes: (bearer, uid) =>
      http.get('/user-management/v1/users/{uid}', { bearer, segments: { uid }, decoder: userAnswer }),
    apiInvite: (hash) =>
      http.get('/user-management/v1/api-users/invite/link/{hash}', {
        segments: { hash },
        decoder: apiInviteAnswer,
      }),
  };
}

/** Calls under `/mfa/v1`. */
function createMfaApi(http: Http): MfaApi {
  return {
    validateSetup: (bearer, body) => http.post('/mfa/v1/validate-setup', { bearer, body, decoder: done }),
    addPhone: (bearer, body) =>
      http.post('/mfa/v1/sms-authy-add', {
        bearer,
        body: { ...body, register: true },
        decoder: smsAddAnswer,
      }),
    addAuthenticator: (bearer, body) =>
      http.post('/mfa/v1/twofactor-add', { bearer, body, decoder: twoFactorAddAnswer }),
    disable: (bearer, body) => http.post('/mfa/v1/disable', { bearer, body, decoder: done }),
    authyInfo: (bearer) => http.get('/mfa/v1/authy-info', { bearer, segments: {}, decoder: authyInfoAnswer }),
  };
}

/** Calls under `/password-reset/v1`. */
function createPasswordApi(http: Http): PasswordApi {
  return {
    forgot: (email) => http.post('/password-reset/v1/forgot-password', { body: { email }, decoder: done }),
    reset: (body) =>
      http.post('/password-reset/v1/password-reset', { body: { ...body, method: 'basic' }, decoder: done }),
    change: (bearer, body) =>
      http.post('/password-reset/v1/password-reset-manual', { bearer, body, decoder: done }),
    activate: (body) =>
      http.post('/password-reset/v1/activate', { body: { ...body, method: 'basic' }, decoder: done }),
  };
}

/** Calls under `/auth/v1`. */
export function createAuthApi(
  http: Http,
  { clock, refreshGraceSeconds = 0 }: Pick<LiveApiOptions, 'clock' | 'refreshGraceSeconds'>,
): AuthApi {
  return {
    methods: (username) =>
      http.get('/auth/v1/method/{username}', { segments: { username }, decoder: loginMethods }),
    token: (request) => {
      const { resend: _notSent, ...body } = { resend: undefined, ...request };
      return http.post('/auth/v1/token', { body, decoder: tokenAnswer });
    },
    exchangeMagicLink: (magiclinkId) =>
      http.post('/auth/v1/token', { body: { magiclinkId, method: 'magiclink' }, decoder: magicLinkAnswer }),
    refresh: onceAtATime((refresh) =>
      untilAnswered(
        (timing) => http.post('/auth/v1/refresh', { body: { refresh }, decoder: refreshAnswer, ...timing }),
        clock,
        refreshGraceSeconds * 1000,
      ),
    ),
    revoke: (body) => http.post('/auth/v1/revoke', { body, decoder: done, keepalive: true }),
    validatePassword: (bearer, proof) =>
      http.post('/auth/v1/validate-password', { bearer, body: proof, decoder: validatePasswordAnswer }),
  };
}

/**
 * A call that is already pending is not made again: both callers get its answer. A page that is left releases its lock; when
 * it is restored before its call is answered, it must not send the token again.
 */
function onceAtATime<T>(send: (token: string) => Promise<T>): (token: string) => Promise<T> {
  const outstanding = new Map<string, Promise<T>>();
  return (token) => {
    const answer = outstanding.get(token) ?? send(token).finally(() => outstanding.delete(token));
    outstanding.set(token, answer);
    return answer;
  };
}
