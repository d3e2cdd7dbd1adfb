import { activated } from '@features/mfa/activated';
import type { ScreenModule } from '@shared/routing/screenModule';
import { MfaActivated } from './MfaActivated.container';

/** `/mfa-activated`. */
export const activatedScreen: ScreenModule = { Screen: MfaActivated, saga: activated };
