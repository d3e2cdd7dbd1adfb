import type { ScreenModule } from '@shared/deps';
import { MfaOptionsScreen } from './MfaOptions.container';
import { options } from './options.saga';

/** `/mfa-options`. */
export const optionsScreen: ScreenModule = { Screen: MfaOptionsScreen, saga: options };
