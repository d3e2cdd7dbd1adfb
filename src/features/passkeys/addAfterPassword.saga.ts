import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import type { SignedIn } from '@shared/slots';
import type { SagaGenerator } from 'typed-redux-saga';
import { wayChunk } from './wayChunk';

/**
 * Adds a passkey after a sign-in with a password, if the service offers it, but not in a frame or if the chunk does not load. The offer is
 * a secret, which is stored nowhere.
 */
export function* addAfterPassword(deps: Deps, { token, response }: SignedIn): SagaGenerator<void> {
  const offer = response?.['passkeyOffer'];
  if (!offer || deps.parentFrame.embedded) return;
  const { addAutomatically } = yield* call(wayChunk.load);
  if (addAutomatically) yield* call(addAutomatically, deps, token, offer);
}
