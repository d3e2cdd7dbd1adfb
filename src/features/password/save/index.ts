import type { Room } from '@shared/routing/room';
import { Activate } from './Activate.container';
import { ChangePassword } from './ChangePassword.container';
import { activate, changePassword, resetByLink, resetByQuery } from './newPassword.saga';
import { ResetPassword } from './ResetPassword.container';

export const resetByLinkRoom: Room = { Screen: ResetPassword, work: resetByLink };
export const resetByQueryRoom: Room = { Screen: ResetPassword, work: resetByQuery };
export const activateRoom: Room = { Screen: Activate, work: activate };
export const changePasswordRoom: Room = { Screen: ChangePassword, work: changePassword };
