import type { Room } from '@shared/routing/room';
import { lazy } from 'react';
import { accountSettings } from './accountSettings.saga';

/** `/account-settings`. Its call is sent while the screen is still being fetched. */
export const accountSettingsRoom: Room = {
  Screen: lazy(async () => ({ default: (await import('./AccountSettings.container')).AccountSettings })),
  work: accountSettings,
};
