import type { PasswordApi } from './api';
import { done } from './decoders';
import type { Http } from './http';

/** Calls under `/password-reset/v1`. */
export function createPasswordApi(http: Http): PasswordApi {
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
