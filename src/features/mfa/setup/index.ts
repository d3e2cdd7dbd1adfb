import { componentIn, createChunk } from '@shared/chunk';
import type { Room } from '@shared/routing/room';
import { SetupCodeScreen } from './code/SetupCode.container';
import { setup } from './setup.saga';

/* The phone data and the QR code are each in the chunk of their own screen. */

export const phoneRoom: Room = {
  Screen: componentIn(
    createChunk(() => import('./phone/PhoneSetup.container')),
    ({ PhoneSetupScreen }) => PhoneSetupScreen,
  ),
  work: (deps, visit) => setup(deps, 'phone', visit),
};
export const appRoom: Room = {
  Screen: componentIn(
    createChunk(() => import('./app/AppSetup.container')),
    ({ AppSetupScreen }) => AppSetupScreen,
  ),
  work: (deps, visit) => setup(deps, 'app', visit),
};
export const codeRoom: Room = { Screen: SetupCodeScreen, work: (deps, visit) => setup(deps, 'code', visit) };
