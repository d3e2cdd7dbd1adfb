import { componentIn, createChunk } from '@shared/chunk';
import type { ScreenModule } from '@shared/deps';
import { accountSettings } from './accountSettings.saga';

/** `/account-settings`. */
export const accountSettingsScreen: ScreenModule = {
  Screen: componentIn(
    createChunk(() => import('./AccountSettings.container')),
    ({ AccountSettings }) => AccountSettings,
  ),
  saga: accountSettings,
};
