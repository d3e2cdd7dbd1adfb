import type { Room } from '@shared/routing/room';
import { Login } from './Login.container';
import { signIn } from './signIn.saga';

/** `/login`. Its username step is in the first bundle. */
export const loginRoom: Room = { Screen: Login, work: signIn };
