import { selectPendingPasskeyChange } from '@features/auth';
import { VerifyIdentity, verifyIdentity } from '@features/auth/verify-identity';
import { selectIsTurnOffConfirmed, selectEnrolment } from '@features/mfa';
import { selectRecoveryPhase } from '@features/recovery-codes';
import { paths, type VerifyPurpose } from '@vestibule/contract/paths';
import type { ScreenModule } from '@shared/routing/screenModule';
import { call } from '@shared/sagas/call.saga';
import { select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Deps } from '@shared/deps';

/**
 * `/ask-password/{authystatus}`: verify identity, to enrol a method or turn two-step verification off, for new recovery codes, or
 * to add or remove a passkey. The purpose is not kept through a reload, and the address alone must change nothing.
 */
export const askPasswordScreen: ScreenModule = {
  Screen: VerifyIdentity,
  *saga(deps, { params: { authystatus = '' } }) {
    if (isPurpose(authystatus)) yield* call(verifyFor[authystatus], deps);
    else yield* call(deps.navigation.replace, paths.accountSettings());
  },
};

const verifyFor: Readonly<Record<VerifyPurpose, (deps: Deps) => SagaGenerator<void>>> = {
  enable: verifyForEnrolment,
  disable: verifyForTurnOff,
  'recovery-codes': verifyForRecoveryCodes,
  'add-passkey': (deps) => verifyForPasskey(deps, 'add'),
  'remove-passkey': (deps) => verifyForPasskey(deps, 'remove'),
};

const isPurpose = (text: string): text is VerifyPurpose => Object.hasOwn(verifyFor, text);

function* verifyForEnrolment(deps: Deps): SagaGenerator<void> {
  const { phase } = yield* select(selectEnrolment);
  if (phase === 'none') yield* call(deps.navigation.replace, paths.mfaOptions());
  else yield* call(verifyIdentity, deps, 'enable');
}

function* verifyForTurnOff(deps: Deps): SagaGenerator<void> {
  if (yield* select(selectIsTurnOffConfirmed)) yield* call(verifyIdentity, deps, 'disable');
  else yield* call(deps.navigation.replace, paths.accountSettings());
}

function* verifyForRecoveryCodes(deps: Deps): SagaGenerator<void> {
  if ((yield* select(selectRecoveryPhase)) === 'requested')
    yield* call(verifyIdentity, deps, 'recoveryCodes');
  else yield* call(deps.navigation.replace, paths.accountSettings());
}

function* verifyForPasskey(deps: Deps, kind: 'add' | 'remove'): SagaGenerator<void> {
  if ((yield* select(selectPendingPasskeyChange))?.kind !== kind)
    yield* call(deps.navigation.replace, paths.accountSettings());
  else yield* call(verifyIdentity, deps, kind === 'add' ? 'addPasskey' : 'removePasskey');
}
