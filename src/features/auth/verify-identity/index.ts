import type { ScreenModule } from '@shared/deps';
import { VerifyIdentity } from './VerifyIdentity.container';
import { verifyForPassword, verifyIdentity } from './verifyIdentity.saga';

export { VerifyIdentity, verifyIdentity };

/** `/reset-password-verify`. */
export const verifyForPasswordScreen: ScreenModule = { Screen: VerifyIdentity, saga: verifyForPassword };
