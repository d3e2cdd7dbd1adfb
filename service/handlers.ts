import { userAttributes } from './accounts/userAttributes';
import type { Caller, Handlers } from './http/operations';
import { verifyIdentity } from './identity/verifyIdentity';
import { openApiInvite } from './links/openApiInvite';
import { addAuthenticator } from './mfa/addAuthenticator';
import { addPhone } from './mfa/addPhone';
import { authyInfo } from './mfa/factors';
import { turnOffMfa } from './mfa/turnOff';
import { validateSetup } from './mfa/validateSetup';
import { activateAccount } from './password/activateAccount';
import { changePassword } from './password/changePassword';
import { forgotPassword } from './password/forgotPassword';
import { resetPassword } from './password/resetPassword';
import type { CallContext } from './serviceContext';
import { refreshSession } from './session/refreshSession';
import { revokeSession } from './session/revokeSession';
import { createToken } from './sign-in/createToken';
import { loginMethods } from './sign-in/loginMethods';

/**
 * Which capability carries out which call of the contract.
 *
 * @param contextOf what it works with, on behalf of the caller.
 */
export function createHandlers(contextOf: (caller: Caller) => CallContext): Handlers {
  return {
    getLoginMethods: ({ params, caller }) => loginMethods(contextOf(caller), params.username),
    createToken: ({ body, caller }) => createToken(contextOf(caller), body),
    refreshToken: ({ body, caller }) => refreshSession(contextOf(caller), body),
    revokeSession: ({ body, caller }) => revokeSession(contextOf(caller), body),
    getUser: ({ params, bearer, caller }) => userAttributes(contextOf(caller), bearer(), params.uid),
    validatePassword: ({ body, bearer, caller }) => verifyIdentity(contextOf(caller), bearer(), body),
    validateMfaSetup: ({ body, bearer, caller }) => validateSetup(contextOf(caller), bearer(), body),
    addSmsPhone: ({ body, bearer, caller }) => addPhone(contextOf(caller), bearer(), body),
    addAuthenticator: ({ body, bearer, caller }) => addAuthenticator(contextOf(caller), bearer(), body),
    disableMfa: ({ body, bearer, caller }) => turnOffMfa(contextOf(caller), bearer(), body),
    getAuthyInfo: ({ bearer, caller }) => authyInfo(contextOf(caller), bearer()),
    requestPasswordReset: ({ body, caller }) => forgotPassword(contextOf(caller), body),
    resetPassword: ({ body, caller }) => resetPassword(contextOf(caller), body),
    changePassword: ({ body, bearer, caller }) => changePassword(contextOf(caller), bearer(), body),
    activateAccount: ({ body, caller }) => activateAccount(contextOf(caller), body),
    getApiInvite: ({ params, caller }) => openApiInvite(contextOf(caller), params.hash),
  };
}
