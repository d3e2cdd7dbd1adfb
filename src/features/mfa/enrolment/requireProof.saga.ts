import { hasSetupToken, isSetupMode, readBearer } from '@features/session';
import type { Deps } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';

/** Whose two-step verification is set up, and what the calls of the enrolment carry to prove it. */
interface EnrolmentProof {
  readonly uid: string;
  readonly bearer: string;
  /** Spread into a body: the verification token; nothing where the bearer replaces it. */
  readonly token: { readonly authVerificationToken?: string };
}

/** Read from cookies and vault each time: a token may have been refreshed. `null`: no session, or no proof (any more). */
export function readProof(deps: Deps): EnrolmentProof | null {
  const bearer = readBearer(deps);
  if (!bearer) return null;
  const authVerificationToken = deps.vault.get('verification')?.authVerificationToken;
  // In setup mode the sign-in was the proof.
  if (authVerificationToken === undefined && !isSetupMode(deps)) return null;
  const token = hasSetupToken(deps) || authVerificationToken === undefined ? {} : { authVerificationToken };
  return { uid: bearer.uid, bearer: bearer.token, token };
}

/** The proof; without one the enrolment goes back to the choice of a method. */
export function* requireProof(deps: Deps): SagaGenerator<EnrolmentProof | null> {
  const proof = readProof(deps);
  if (!proof) yield* call(deps.navigation.replace, paths.mfaOptions());
  return proof;
}
