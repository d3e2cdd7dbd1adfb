import type { ScreenModule } from '@shared/deps';
import { Login } from './Login.container';
import { signIn } from './signIn.saga';

/** `/login`. Its username step is in the first bundle. */
export const loginScreen: ScreenModule = { Screen: Login, saga: signIn };
