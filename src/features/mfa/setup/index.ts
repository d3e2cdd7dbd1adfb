import type { Room } from '@shared/routing/room';
import { AppSetupScreen } from './AppSetup.container';
import { PhoneSetupScreen } from './PhoneSetup.container';
import { setupStep } from './setup.saga';
import { SetupCodeScreen } from './SetupCode.container';

export const phoneRoom: Room = {
  Screen: PhoneSetupScreen,
  work: (deps, visit) => setupStep(deps, 'phone', visit),
};
export const appRoom: Room = { Screen: AppSetupScreen, work: (deps, visit) => setupStep(deps, 'app', visit) };
export const codeRoom: Room = {
  Screen: SetupCodeScreen,
  work: (deps, visit) => setupStep(deps, 'code', visit),
};
