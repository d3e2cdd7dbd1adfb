import { componentIn, createChunk } from '@shared/chunk';
import type { Room } from '@shared/routing/room';
import { accountSettings } from './accountSettings.saga';

/** `/account-settings`. Its call is sent while the screen is still being fetched. */
export const accountSettingsRoom: Room = {
  Screen: componentIn(
    createChunk(() => import('./AccountSettings.container')),
    ({ AccountSettings }) => AccountSettings,
  ),
  work: accountSettings,
};
