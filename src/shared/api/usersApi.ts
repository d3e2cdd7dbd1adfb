import type { UsersApi } from './api';
import { apiInviteAnswer, userAnswer } from './decoders';
import type { Http } from './http';

/** Calls under `/user-management/v1`. */
export function createUsersApi(http: Http): UsersApi {
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
