import { userAttributes } from './accounts/userAttributes.ts';
import { capabilities } from './capabilities.ts';
import type { OperationOf } from './capability.ts';
import { recordingRefusal } from './audit/refusals.ts';
import type { Call, Caller, Handlers, OperationId } from './http/operations.ts';
import { verifyIdentity } from './identity/verifyIdentity.ts';
import { openApiInvite } from './links/openApiInvite.ts';
import { addAuthenticator } from './mfa/addAuthenticator.ts';
import { addPhone } from './mfa/addPhone.ts';
import { authyInfo } from './mfa/factors.ts';
import { turnOffMfa } from './mfa/turnOff.ts';
import { validateSetup } from './mfa/validateSetup.ts';
import { activateAccount } from './password/activateAccount.ts';
import { changePassword } from './password/changePassword.ts';
import { forgotPassword } from './password/forgotPassword.ts';
import { resetPassword } from './password/resetPassword.ts';
import type { CallContext } from './serviceContext.ts';
import { refreshSession } from './session/refreshSession.ts';
import { attemptOf, createToken } from './sign-in/createToken.ts';
import { loginMethods } from './sign-in/loginMethods.ts';

/**
 * Maps each call of the contract to its operation, and names the audit event of its refusal. Successes are recorded
 * by the operation.
 *
 * @param contextOf the context of an operation, on behalf of the caller.
 */
export function createHandlers(contextOf: (caller: Caller) => CallContext): Partial<Handlers> {
  const ofCapabilities: Partial<Handlers> = Object.fromEntries(
    capabilities
      .flatMap(({ operations = {} }) => Object.entries(operations))
      .map(([id, operation]) => [
        id,
        (call: Call<OperationId>) => (operation as OperationOf<OperationId>)(contextOf(call.caller), call),
      ]),
  );
  return {
    ...ofCapabilities,
    getLoginMethods: ({ params, caller }) => loginMethods(contextOf(caller), params.username),
    createToken: ({ body, caller }) =>
      recordingRefusal(contextOf(caller), attemptOf(body), (context) => createToken(context, body)),
    refreshToken: ({ body, caller }) => refreshSession(contextOf(caller), body, caller.gone),
    getUser: ({ params, bearer, caller }) => userAttributes(contextOf(caller), bearer(), params.uid),
    validatePassword: ({ body, bearer, caller }) =>
      recordingRefusal(contextOf(caller), { event: 'identity-check', uid: bearer().uid }, (context) =>
        verifyIdentity(context, bearer(), body),
      ),
    validateMfaSetup: ({ body, bearer, caller }) =>
      recordingRefusal(
        contextOf(caller),
        { event: 'two-step-set', uid: bearer().uid, method: body.mfaRegistering },
        (context) => validateSetup(context, bearer(), body),
      ),
    addSmsPhone: ({ body, bearer, caller }) => addPhone(contextOf(caller), bearer(), body),
    addAuthenticator: ({ body, bearer, caller }) => addAuthenticator(contextOf(caller), bearer(), body),
    disableMfa: ({ body, bearer, caller }) =>
      recordingRefusal(contextOf(caller), { event: 'two-step-off', uid: bearer().uid }, (context) =>
        turnOffMfa(context, bearer(), body),
      ),
    getAuthyInfo: ({ bearer, caller }) => authyInfo(contextOf(caller), bearer()),
    requestPasswordReset: ({ body, caller }) => forgotPassword(contextOf(caller), body),
    resetPassword: ({ body, caller }) =>
      recordingRefusal(contextOf(caller), { event: 'password-reset' }, (context) =>
        resetPassword(context, body),
      ),
    changePassword: ({ body, bearer, caller }) =>
      recordingRefusal(contextOf(caller), { event: 'password-change', uid: bearer().uid }, (context) =>
        changePassword(context, bearer(), body),
      ),
    activateAccount: ({ body, caller }) =>
      recordingRefusal(contextOf(caller), { event: 'activation' }, (context) =>
        activateAccount(context, body),
      ),
    getApiInvite: ({ params, caller }) =>
      recordingRefusal(contextOf(caller), { event: 'link-used', method: 'secret-key' }, (context) =>
        openApiInvite(context, params.hash),
      ),
  };
}
