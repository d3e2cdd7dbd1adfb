import type { ScreenModule } from '@shared/deps';
import { Activate } from './Activate.container';
import { ChangePassword } from './ChangePassword.container';
import { activate, changePassword, resetByLink, resetByQuery } from './newPassword.saga';
import { ResetPassword } from './ResetPassword.container';

export const resetByLinkScreen: ScreenModule = { Screen: ResetPassword, saga: resetByLink };
export const resetByQueryScreen: ScreenModule = { Screen: ResetPassword, saga: resetByQuery };
export const activateScreen: ScreenModule = { Screen: Activate, saga: activate };
export const changePasswordScreen: ScreenModule = { Screen: ChangePassword, saga: changePassword };
