import { componentIn, createChunk } from '@shared/chunk';
import type { ScreenModule } from '@shared/deps';
import { oauthReturn } from './oauthReturn.saga';

/** `/oauth-redirect`. Only the provider's window loads its screen. */
export const oauthReturnScreen: ScreenModule = {
  Screen: componentIn(
    createChunk(() => import(/* webpackChunkName: "oauth-return" */ './OauthReturn.container')),
    ({ OauthReturn }) => OauthReturn,
  ),
  saga: oauthReturn,
};
