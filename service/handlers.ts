import { userAttributes } from './account/userAttributes';
import { notImplemented } from './errors';
import type { Handlers } from './http/operations';
import type { ServiceContext } from './serviceContext';
import { refreshSession } from './session/refreshSession';
import { createToken } from './sign-in/createToken';
import { loginMethods } from './sign-in/loginMethods';

const later = (): Promise<never> => Promise.reject(notImplemented());

/** Which capability carries out which call of the contract. */
export function createHandlers(context: ServiceContext): Handlers {
  return {
    getLoginMethods: ({ params }) => loginMethods(context, params.username),
    createToken: ({ body }) => createToken(context, body),
    refreshToken: ({ body }) => refreshSession(context, body),
    getUser: ({ params, bearer }) => userAttributes(context, bearer(), params.uid),
    validatePassword: later,
    validateMfaSetup: later,
    addSmsPhone: later,
    addAuthenticator: later,
    disableMfa: later,
    getAuthyInfo: later,
    requestPasswordReset: later,
    resetPassword: later,
    changePassword: later,
    activateAccount: later,
    getApiInvite: later,
  };
}
