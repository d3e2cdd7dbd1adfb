import type { Room } from '@shared/routing/room';
import { apiInvite } from './apiInvite.saga';
import { magicLink } from './magicLink.saga';
import { ApiInvite, MagicLink } from './OneTimeLink.container';
import { Unauthorized } from './Unauthorized.container';

export const magicLinkRoom: Room = { Screen: MagicLink, work: magicLink };
export const apiInviteRoom: Room = { Screen: ApiInvite, work: apiInvite };
/** Where every refused link leads. */
export const unauthorizedRoom: Room = { Screen: Unauthorized };
