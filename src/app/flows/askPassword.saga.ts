import { VerifyIdentity, verifyIdentity } from '@features/auth/verify-identity';
import type { ScreenModule } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { paths } from '@vestibule/contract/paths';
import { purposeOf } from './purposeOf';

/**
 * `/ask-password/{authystatus}`: verify identity for a purpose. A reload loses the purpose, because the address alone must
 * change nothing.
 */
export const askPasswordScreen: ScreenModule = {
  Screen: VerifyIdentity,
  *saga(deps, { params: { authystatus = '' } }) {
    const purpose = yield* call(purposeOf, deps, authystatus);
    if (purpose && (yield* call(purpose.isAskedFor, deps))) yield* call(verifyIdentity, deps, authystatus);
    else yield* call(deps.navigation.replace, purpose?.otherwise ?? paths.accountSettings());
  },
};
