import type { Room } from '@shared/routing/room';
import { ApiInvite } from './ApiInvite.container';
import { apiInvite } from './apiInvite.saga';
import { MagicLink } from './MagicLink.container';
import { magicLink } from './magicLink.saga';
import { Unauthorized } from './Unauthorized.container';

export const magicLinkRoom: Room = { Screen: MagicLink, work: magicLink };
export const apiInviteRoom: Room = { Screen: ApiInvite, work: apiInvite };
/** Where links that do not work lead. */
export const unauthorizedRoom: Room = { Screen: Unauthorized };
