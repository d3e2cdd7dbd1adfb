import { activePhoneRequested } from '@features/mfa';
import { profileLoaded, profileRequested } from '@features/session';
import { componentIn, createChunk } from '@shared/chunk';
import type { ScreenModule } from '@shared/deps';
import { put, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

/** Loads the account each time that the settings are entered. */
function* accountSettings(): SagaGenerator<void> {
  yield* takeLatest(profileLoaded, askForPhone);
  yield* put(profileRequested());
}

/** Requests the phone number if text messages are on. */
function* askForPhone({ payload }: ReturnType<typeof profileLoaded>): SagaGenerator<void> {
  if (payload.isTextActive) yield* put(activePhoneRequested());
}

/** `/account-settings`. */
export const accountSettingsScreen: ScreenModule = {
  Screen: componentIn(
    createChunk(() => import('./AccountSettings.container')),
    ({ AccountSettings }) => AccountSettings,
  ),
  saga: accountSettings,
};
