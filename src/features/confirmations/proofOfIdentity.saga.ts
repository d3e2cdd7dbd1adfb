import type { Deps, Purpose } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { callApi } from '@shared/sagas/callApi.saga';
import { paths } from '@vestibule/contract/paths';
import { put, select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { isOutdated, tokenOf } from './askForProof.saga';
import { confirmPayment, identityVerified, selectPayment } from './confirmations.slice';

/** Navigates to verify identity. */
export function* verifyFirst({ navigation }: Deps): SagaGenerator<void> {
  if ((yield* select(selectPayment)).phase === 'verifying')
    yield* call(navigation.push, paths.askPassword(confirmPayment));
}

/** The purpose of verify identity for a payment that needs a recent proof. */
export const proofOfIdentity: Purpose = {
  *isAskedFor() {
    return (yield* select(selectPayment)).phase === 'verifying';
  },
  *proved(deps) {
    const payment = yield* select(selectPayment);
    const proof = deps.vault.get('verification');
    if (payment.phase !== 'verifying' || !proof) return null;
    const { authVerificationToken } = proof;
    const { confirmationId } = payment;
    const { proveIdentity } = deps.api.confirmations;
    const result = yield* callApi(proveIdentity, tokenOf(deps), confirmationId, { authVerificationToken });
    if (!result.ok && !isOutdated(result.error)) return result.error;
    // The user may have left the screen meanwhile.
    if ((yield* select(selectPayment)) !== payment) return null;
    if (result.ok) yield* put(identityVerified());
    yield* call(deps.navigation.replace, `/confirm/${encodeURIComponent(confirmationId)}`);
    return null;
  },
};
