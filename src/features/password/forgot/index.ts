import type { ScreenModule } from '@shared/deps';
import { forgot } from './forgot.saga';
import { ForgotPassword } from './ForgotPassword.container';

/** `/forgot-password`. */
export const forgotScreen: ScreenModule = { Screen: ForgotPassword, saga: forgot };
