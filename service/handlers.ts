import { userAttributes } from './account/userAttributes';
import type { Handlers } from './http/operations';
import { verifyIdentity } from './identity/verifyIdentity';
import { openApiInvite } from './links/openApiInvite';
import { addAuthenticator } from './mfa/addAuthenticator';
import { addPhone } from './mfa/addPhone';
import { authyInfo } from './mfa/authyInfo';
import { turnOffMfa } from './mfa/turnOff';
import { validateSetup } from './mfa/validateSetup';
import { activateAccount } from './password/activateAccount';
import { changePassword } from './password/changePassword';
import { forgotPassword } from './password/forgotPassword';
import { resetPassword } from './password/resetPassword';
import type { ServiceContext } from './serviceContext';
import { refreshSession } from './session/refreshSession';
import { revokeSession } from './session/revokeSession';
import { createToken } from './sign-in/createToken';
import { loginMethods } from './sign-in/loginMethods';

/** Which capability carries out which call of the contract. */
export function createHandlers(context: ServiceContext): Handlers {
  return {
    getLoginMethods: ({ params }) => loginMethods(context, params.username),
    createToken: ({ body }) => createToken(context, body),
    refreshToken: ({ body }) => refreshSession(context, body),
    revokeSession: ({ body }) => revokeSession(context, body),
    getUser: ({ params, bearer }) => userAttributes(context, bearer(), params.uid),
    validatePassword: ({ body, bearer }) => verifyIdentity(context, bearer(), body),
    validateMfaSetup: ({ body, bearer }) => validateSetup(context, bearer(), body),
    addSmsPhone: ({ body, bearer }) => addPhone(context, bearer(), body),
    addAuthenticator: ({ body, bearer }) => addAuthenticator(context, bearer(), body),
    disableMfa: ({ body, bearer }) => turnOffMfa(context, bearer(), body),
    getAuthyInfo: ({ bearer }) => authyInfo(context, bearer()),
    requestPasswordReset: ({ body }) => forgotPassword(context, body),
    resetPassword: ({ body }) => resetPassword(context, body),
    changePassword: ({ body, bearer }) => changePassword(context, bearer(), body),
    activateAccount: ({ body }) => activateAccount(context, body),
    getApiInvite: ({ params }) => openApiInvite(context, params.hash),
  };
}
