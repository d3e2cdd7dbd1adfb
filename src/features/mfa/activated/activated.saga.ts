import { goToSignOn, profileFailed, profileLoaded, profileRequested } from '@features/session';
import type { Deps, ScreenModule } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { fork, put, race, select, take, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { activePhoneRequested } from '../status/activePhone.slice';
import { activationConfirmed, methodOf, selectActivated, setupSignInRequested } from './activation.slice';
import { MfaActivatedScreen } from './MfaActivated.container';

/** `/mfa-activated`: requests the last digits of the phone, and goes to the sign-in in setup mode. */
function* activated(deps: Deps): SagaGenerator<void> {
  yield* takeLeading(setupSignInRequested, goToSignOn, deps);
  yield* fork(confirmActivation, deps);
  if (methodOf(deps.navigation.current().search) === 'text') yield* put(activePhoneRequested());
}

/**
 * Checks that the method is on: this page has turned it on, or the account says so. The address proves nothing, because any
 * page can link to it.
 */
function* confirmActivation({ navigation }: Deps): SagaGenerator<void> {
  if ((yield* select(selectActivated)) !== null) return;
  yield* put(profileRequested());
  const { loaded } = yield* race({ loaded: take(profileLoaded), failed: take(profileFailed) });
  const method = methodOf(navigation.current().search);
  const isOn = method === 'text' ? loaded?.payload.isTextActive : loaded?.payload.isAppActive;
  if (method && isOn) yield* put(activationConfirmed(method));
  else yield* call(navigation.replace, paths.accountSettings());
}

/** `/mfa-activated`. */
export const activatedScreen: ScreenModule = { Screen: MfaActivatedScreen, saga: activated };
