import {
  verificationHeld,
  verificationReleased,
  verificationStarted,
  verificationUsed,
} from '@features/auth';
import { newPasswordRefused, newPasswordSaved, newPasswordSubmitted } from '@features/password';
import type { Deps } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { put, takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

/**
 * From the verified password to the new one. The 180 s of the proof are held while the new password is being saved, and end
 * with it: what follows is `/login`, not the settings.
 */
export function* changePassword(deps: Pick<Deps, 'navigation'>): SagaGenerator<void> {
  yield* takeEvery(verificationStarted, goOn, deps);
  yield* takeEvery(newPasswordSubmitted, function* () {
    yield* put(verificationHeld());
  });
  yield* takeEvery(newPasswordRefused, function* () {
    yield* put(verificationReleased());
  });
  yield* takeEvery(newPasswordSaved, function* () {
    yield* put(verificationUsed());
  });
}

function* goOn(
  { navigation }: Pick<Deps, 'navigation'>,
  { payload: { purpose } }: ReturnType<typeof verificationStarted>,
): SagaGenerator<void> {
  if (purpose === 'changePassword') yield* call(navigation.replace, paths.changePassword());
}
