import { noAccess } from '../core/errors.ts';
import type { ServiceError } from '../platform/errors.ts';
import { passwordKey, type AttemptSource } from '../core/limits/attemptKeys.ts';
import type { PasswordMatch } from '../platform/security/passwords.ts';
import type { ServiceContext } from '../core/context.ts';
import { underLockout } from './underLockout.ts';

/** An entered password and the hash that it must match. */
export interface PasswordProof {
  /** The username for which failures are counted, even if it is unknown. */
  readonly username: string;
  /** `null`: unknown user, or one without a password. */
  readonly uid: string | null;
  readonly storedHash: string | null;
  /** With `true` the right password is refused as well, which counts neither as a failure nor as a success. */
  readonly isDisabled?: boolean;
  /** The hash to verify if there is none: see `Passwords.matches`. */
  readonly standIn?: string | null;
  readonly entered: string;
  readonly attemptSource: AttemptSource;
}

/**
 * Checks a password under the lockout, at sign-in and when an identity is verified.
 *
 * @param refusal the error for a wrong password.
 * @throws ServiceError as `underLockout`; 401 `no_access` for the right password of a disabled account.
 */
export async function provePassword(
  context: ServiceContext,
  { username, uid, storedHash, isDisabled = false, standIn, entered, attemptSource }: PasswordProof,
  refusal: () => ServiceError,
): Promise<PasswordMatch> {
  const key = passwordKey(username, uid, attemptSource);
  return underLockout(
    context,
    key,
    async ({ matches }) => {
      const match = await matches(storedHash, entered, standIn);
      if (match !== null && isDisabled) throw noAccess();
      return match;
    },
    refusal,
  );
}
