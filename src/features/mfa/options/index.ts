import type { Room } from '@shared/routing/room';
import { MfaOptionsScreen } from './MfaOptions.container';
import { options } from './options.saga';

/** `/mfa-options`. */
export const optionsRoom: Room = { Screen: MfaOptionsScreen, work: options };
