import { activationConfirmed, methodOf, selectActivation } from '@features/mfa';
import { profileFailed, profileLoaded, profileRequested } from '@features/session';
import type { Deps } from '@shared/deps';
import { onRoute } from '@shared/routing/onRoute.saga';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call';
import { put, race, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

type EntryDeps = Pick<Deps, 'navigation'>;

/** `/mfa-activated` says that a second step is on only where that is so: its address is anybody's to link to. */
export function* mfaActivatedEntry(deps: EntryDeps): SagaGenerator<void> {
  yield* onRoute('mfaActivated', confirmActivation, deps);
}

function* confirmActivation({ navigation }: EntryDeps): SagaGenerator<void> {
  if (yield* select(selectActivation)) return;
  yield* put(profileRequested());
  const { loaded } = yield* race({ loaded: take(profileLoaded), failed: take(profileFailed) });
  const method = methodOf(navigation.current().search);
  const isOn = method === 'sms' ? loaded?.payload.authyActive : loaded?.payload.twoFactorActive;
  if (method && isOn) yield* put(activationConfirmed());
  else yield* call(navigation.replace, paths.accountSettings());
}
