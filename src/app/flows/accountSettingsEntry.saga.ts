import { profileRequested } from '@features/session';
import { onRoute } from '@shared/routing/onRoute.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

/** The settings show the account as it is now: asked for each time that they are entered. */
export function* accountSettingsEntry(): SagaGenerator<void> {
  yield* onRoute('accountSettings', function* () {
    yield* put(profileRequested());
  });
}
