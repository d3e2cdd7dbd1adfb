import type { Room } from '@shared/routing/room';
import { VerifyIdentity } from './VerifyIdentity.container';
import { verifyForPassword, verifyIdentity } from './verifyIdentity.saga';

export { VerifyIdentity, verifyIdentity };

/** `/reset-password-verify`. */
export const verifyForPasswordRoom: Room = { Screen: VerifyIdentity, work: verifyForPassword };
