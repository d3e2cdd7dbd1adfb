import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call.saga';
import { select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { selectSetup } from './setup.selectors';
import type { SetupDeps } from './setupDeps';
import { setupPath } from './setupPaths';
import { readProof } from './setupProof';

/** Who it is has been proved, or need not be: the set-up goes on where it was. */
export function* resumeSetup(
  deps: Pick<SetupDeps, 'config' | 'cookies' | 'navigation' | 'vault'>,
): SagaGenerator<void> {
  const proof = readProof(deps);
  const state = yield* select(selectSetup);
  yield* call(deps.navigation.replace, proof ? setupPath(state, proof.uid) : paths.mfaOptions());
}
