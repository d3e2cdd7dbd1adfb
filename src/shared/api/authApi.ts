import type { Clock } from '../platform/platform';
import type { AuthApi } from './api';
import { magicLinkAnswer, refreshAnswer, tokenAnswer, validatePasswordAnswer } from './decoders';
import type { Http } from './http';
import { loginMethods } from './methodsDecoder';
import { untilAnswered } from './untilAnswered';

/** Calls under `/auth/v1`. */
export function createAuthApi(http: Http, clock: Clock): AuthApi {
  return {
    methods: (username) =>
      http.get('/auth/v1/method/{username}', { segments: { username }, decoder: loginMethods }),
    token: (request) => {
      const { resend: _notSent, ...body } = { resend: undefined, ...request };
      return http.post('/auth/v1/token', { body, decoder: tokenAnswer });
    },
    exchangeMagicLink: (magiclinkId) =>
      http.post('/auth/v1/token', { body: { magiclinkId, method: 'magiclink' }, decoder: magicLinkAnswer }),
    refresh: (refresh) =>
      untilAnswered(
        (timing) => http.post('/auth/v1/refresh', { body: { refresh }, decoder: refreshAnswer, ...timing }),
        clock,
      ),
    validatePassword: (bearer, proof) =>
      http.post('/auth/v1/validate-password', { bearer, body: proof, decoder: validatePasswordAnswer }),
  };
}
