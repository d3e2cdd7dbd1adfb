import { goToSignOn, profileFailed, profileLoaded, profileRequested } from '@features/session';
import { createAction } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call.saga';
import { fork, put, race, select, take, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { activePhoneRequested } from '../status/activePhone.slice';
import { activationConfirmed, selectActivated } from './activation.slice';
import { methodOf } from './methodOf';

/** Sign In was pressed at the end of a set-up in setup mode. */
export const setupSignInRequested = createAction('mfa/setupSignInRequested');

type ActivatedDeps = Pick<Deps, 'api' | 'config' | 'cookies' | 'navigation' | 'parentFrame' | 'vault'>;

/** The set-up is complete (specification §2): asks which phone it is about, and offers the way on. */
export function* activated(deps: ActivatedDeps): SagaGenerator<void> {
  yield* takeLeading(setupSignInRequested, goToSignOn, deps);
  yield* fork(confirmActivation, deps);
  if (methodOf(deps.navigation.current().search) === 'sms') yield* put(activePhoneRequested());
}

/** It is said that a second step is on only where that is so: the address is anybody's to link to. */
function* confirmActivation({ navigation }: Pick<Deps, 'navigation'>): SagaGenerator<void> {
  if ((yield* select(selectActivated)) !== null) return;
  yield* put(profileRequested());
  const { loaded } = yield* race({ loaded: take(profileLoaded), failed: take(profileFailed) });
  const method = methodOf(navigation.current().search);
  const isOn = method === 'sms' ? loaded?.payload.authyActive : loaded?.payload.twoFactorActive;
  if (method && isOn) yield* put(activationConfirmed(method));
  else yield* call(navigation.replace, paths.accountSettings());
}
