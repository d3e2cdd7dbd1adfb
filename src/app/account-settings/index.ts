import type { Room } from '@shared/routing/room';
import { lazy } from 'react';
import { accountSettings } from './accountSettings.saga';

/** `/account-settings`, which shows sections of two features. Its call is under way while its screen is being fetched. */
export const accountSettingsRoom: Room = {
  Screen: lazy(async () => ({ default: (await import('./AccountSettings.container')).AccountSettings })),
  work: accountSettings,
};
