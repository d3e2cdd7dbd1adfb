import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import type { SignedIn } from '@shared/slots';
import type { SagaGenerator } from 'typed-redux-saga';
import { wayChunk } from './wayChunk';

/** After a password, not in frames. Without the chunk there is no passkey. */
export function* addAfterPassword(deps: Deps, { token, isByPassword }: SignedIn): SagaGenerator<void> {
  if (!isByPassword || deps.parentFrame.embedded) return;
  const { addAutomatically } = yield* call(wayChunk.load);
  if (addAutomatically) yield* call(addAutomatically, deps, token);
}
