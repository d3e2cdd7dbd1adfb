import type { Room } from '@shared/routing/room';
import { AppSetupScreen } from './app/AppSetup.container';
import { SetupCodeScreen } from './code/SetupCode.container';
import { PhoneSetupScreen } from './phone/PhoneSetup.container';
import { setup } from './setup.saga';

export const phoneRoom: Room = {
  Screen: PhoneSetupScreen,
  work: (deps, visit) => setup(deps, 'phone', visit),
};
export const appRoom: Room = { Screen: AppSetupScreen, work: (deps, visit) => setup(deps, 'app', visit) };
export const codeRoom: Room = { Screen: SetupCodeScreen, work: (deps, visit) => setup(deps, 'code', visit) };
