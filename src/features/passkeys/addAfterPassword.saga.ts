import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import type { SignedIn } from '@shared/slots';
import type { SagaGenerator } from 'typed-redux-saga';
import { wayChunk } from './wayChunk';

/** Adds a passkey after a sign-in with a password, but not in a frame or without the chunk. */
export function* addAfterPassword(deps: Deps, { token, isByPassword }: SignedIn): SagaGenerator<void> {
  if (!isByPassword || deps.parentFrame.embedded) return;
  const { addAutomatically } = yield* call(wayChunk.load);
  if (addAutomatically) yield* call(addAutomatically, deps, token);
}
