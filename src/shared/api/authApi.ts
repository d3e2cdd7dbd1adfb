import type { AuthApi } from './api';
import { done, magicLinkAnswer, refreshAnswer, tokenAnswer, validatePasswordAnswer } from './decoders';
import type { Http } from './http';
import type { LiveApiOptions } from './liveApi';
import { loginMethods } from './methodsDecoder';
import { untilAnswered } from './untilAnswered';

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
 * Whoever asks for what is already being asked gets that answer. A page that is left gives its lock away; when it comes
 * back before its call is answered, it must not send a copy of it.
 */
function onceAtATime<T>(send: (token: string) => Promise<T>): (token: string) => Promise<T> {
  const outstanding = new Map<string, Promise<T>>();
  return (token) => {
    const answer = outstanding.get(token) ?? send(token).finally(() => outstanding.delete(token));
    outstanding.set(token, answer);
    return answer;
  };
}
