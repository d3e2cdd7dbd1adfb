import type { ScreenModule } from '@shared/deps';
import { activated } from './activated.saga';
import { MfaActivatedScreen } from './MfaActivated.container';

/** `/mfa-activated`. */
export const activatedScreen: ScreenModule = { Screen: MfaActivatedScreen, saga: activated };
