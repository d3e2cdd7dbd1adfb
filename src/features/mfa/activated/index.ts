import type { Room } from '@shared/routing/room';
import { activated } from './activated.saga';
import { MfaActivatedScreen } from './MfaActivated.container';

/** `/mfa-activated`. */
export const activatedRoom: Room = { Screen: MfaActivatedScreen, work: activated };
