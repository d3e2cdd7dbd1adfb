import { isSetupMode } from '@features/session';
import type { Deps, ScreenModule } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { selectActivated } from '../activated/activation.slice';
import { MfaOptionsScreen } from './MfaOptions.container';

/** In setup mode a user who comes back from `/mfa-activated` is sent there again, because a method is on. */
function* options(deps: Deps): SagaGenerator<void> {
  const method = yield* select(selectActivated);
  if (method !== null && isSetupMode(deps)) yield* call(deps.navigation.replace, paths.mfaActivated(method));
}

/** `/mfa-options`. */
export const optionsScreen: ScreenModule = { Screen: MfaOptionsScreen, saga: options };
