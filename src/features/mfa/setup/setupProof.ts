import { hasSetupToken, readBearer, type CookieDeps } from '@features/session';
import type { Deps } from '@shared/deps';

/** Who sets up, and what the calls of the set-up carry to prove it (specification §6, §7). */
export interface SetupProof {
  readonly uid: string;
  readonly bearer: string;
  /** Spread into a body: the verification token, or nothing where the bearer itself stands for the proof. */
  readonly token: { readonly authVerificationToken?: string };
}

/** Asked of cookies and vault each time: a token may have been refreshed. `null`: nobody, or not proved any more. */
export function readProof(deps: CookieDeps & Pick<Deps, 'vault'>): SetupProof | null {
  const bearer = readBearer(deps);
  if (!bearer) return null;
  const who = { uid: bearer.uid, bearer: bearer.token };
  if (hasSetupToken(deps)) return { ...who, token: {} };
  const authVerificationToken = deps.vault.get('verification')?.authVerificationToken;
  return authVerificationToken === undefined ? null : { ...who, token: { authVerificationToken } };
}
