import { activePhoneRequested } from '@features/mfa';
import { profileLoaded, profileRequested } from '@features/session';
import { put, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

/** The settings show the account as it is now: asked for each time that they are entered. */
export function* accountSettings(): SagaGenerator<void> {
  yield* takeLatest(profileLoaded, askForPhone);
  yield* put(profileRequested());
}

/** Only where there is one to ask for. */
function* askForPhone({ payload }: ReturnType<typeof profileLoaded>): SagaGenerator<void> {
  if (payload.authyActive) yield* put(activePhoneRequested());
}
