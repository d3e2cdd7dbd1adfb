import type { Api } from './api';
import { createAuthApi } from './authApi';
import { createHttp, type HttpOptions } from './http';
import { createMfaApi } from './mfaApi';
import { createPasswordApi } from './passwordApi';
import { createUsersApi } from './usersApi';

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
