import type { MfaApi } from './api';
import { authyInfoAnswer, done, smsAddAnswer, twoFactorAddAnswer } from './decoders';
import type { Http } from './http';

/** Calls under `/mfa/v1`. */
export function createMfaApi(http: Http): MfaApi {
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
