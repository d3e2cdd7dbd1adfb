import type { Room } from '@shared/routing/room';
import { lazy } from 'react';
import { oauthReturn } from './oauthReturn.saga';

/** `/oauth-redirect`. Only the provider's window loads its screen. */
export const oauthReturnRoom: Room = {
  Screen: lazy(async () => ({ default: (await import('./OauthReturn.container')).OauthReturn })),
  work: oauthReturn,
};
