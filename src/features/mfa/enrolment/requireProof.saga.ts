import { hasSetupToken, isSetupMode, readBearer } from '@features/session';
import type { Deps } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';

/** The user who sets up two-step verification, and the proof of identity for the calls. */
interface EnrolmentProof {
  readonly uid: string;
  readonly bearer: string;
  /** The part of a request body with the verification token. It is empty if the bearer replaces that token. */
  readonly token: { readonly authVerificationToken?: string };
}

/**
 * Reads the proof from cookies and vault, each time anew, because a token may have been refreshed. `null` without a session
 * or a valid proof.
 */
export function readProof(deps: Deps): EnrolmentProof | null {
  const bearer = readBearer(deps);
  if (!bearer) return null;
  const authVerificationToken = deps.vault.get('verification')?.authVerificationToken;
  // In setup mode the sign-in was the proof.
  if (authVerificationToken === undefined && !isSetupMode(deps)) return null;
  const token = hasSetupToken(deps) || authVerificationToken === undefined ? {} : { authVerificationToken };
  return { uid: bearer.uid, bearer: bearer.token, token };
}

/** Reads the proof. Without one it goes back to the choice of a method. */
export function* requireProof(deps: Deps): SagaGenerator<EnrolmentProof | null> {
  const proof = readProof(deps);
  if (!proof) yield* call(deps.navigation.replace, paths.mfaOptions());
  return proof;
}
