import type { ScreenModule } from '@shared/deps';
import { apiInvite } from './apiInvite.saga';
import { magicLink } from './magicLink.saga';
import { ApiInvite, MagicLink } from './OneTimeLink.container';
import { Unauthorized } from './Unauthorized.container';

export const magicLinkScreen: ScreenModule = { Screen: MagicLink, saga: magicLink };
export const apiInviteScreen: ScreenModule = { Screen: ApiInvite, saga: apiInvite };
/** The screen to which every refused link leads. */
export const unauthorizedScreen: ScreenModule = { Screen: Unauthorized };
