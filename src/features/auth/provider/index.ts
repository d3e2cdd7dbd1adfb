import { componentIn, createChunk } from '@shared/chunk';
import type { Room } from '@shared/routing/room';
import { oauthReturn } from './oauthReturn.saga';

/** `/oauth-redirect`. Only the provider's window loads its screen. */
export const oauthReturnRoom: Room = {
  Screen: componentIn(
    createChunk(() => import(/* webpackChunkName: "oauth-return" */ './OauthReturn.container')),
    ({ OauthReturn }) => OauthReturn,
  ),
  work: oauthReturn,
};
