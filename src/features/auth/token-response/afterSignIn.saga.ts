import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import type { SignedIn } from '@shared/slots';
import type { SagaGenerator } from 'typed-redux-saga';

/** Runs what the features do after a sign-in, before the page leaves. */
export function* afterSignIn(deps: Deps, signedIn: SignedIn): SagaGenerator<void> {
  for (const feature of deps.features)
    if (feature.afterSignIn) yield* call(feature.afterSignIn, deps, signedIn);
}
