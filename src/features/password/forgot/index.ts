import type { Room } from '@shared/routing/room';
import { forgot } from './forgot.saga';
import { ForgotPassword } from './ForgotPassword.container';

/** `/forgot-password`. */
export const forgotRoom: Room = { Screen: ForgotPassword, work: forgot };
