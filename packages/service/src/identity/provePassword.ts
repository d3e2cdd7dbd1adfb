import { noAccess, type ServiceError } from '../errors.ts';
import { passwordKey, type AttemptSource } from '../limits/attemptKeys.ts';
import type { ServiceContext } from '../serviceContext.ts';
import { underLockout } from './underLockout.ts';

/** A password that was entered, and what it has to match. */
export interface PasswordProof {
  /** Failures count against it, for an unknown username too. */
  readonly username: string;
  /** `null`: unknown user, or one without a password. */
  readonly uid: string | null;
  readonly storedHash: string | null;
  /** Then also the right password is refused, which counts neither as a failure nor as a success. */
  readonly isDisabled?: boolean;
  /** Whose work is done where there is no hash: see `Passwords.matches`. */
  readonly standIn?: string | null;
  readonly entered: string;
  readonly source: AttemptSource;
}

/**
 * Checks a password under the lockout, the same at sign-in and where it is asked for again.
 *
 * @param refusal what a wrong password is answered.
 * @throws ServiceError as `underLockout`; 401 `no_access` for the right password of a disabled account.
 */
export async function provePassword(
  context: ServiceContext,
  { username, uid, storedHash, isDisabled = false, standIn, entered, source }: PasswordProof,
  refusal: () => ServiceError,
): Promise<void> {
  const key = passwordKey(username, uid, source);
  await underLockout(
    context,
    key,
    async ({ matches }) => {
      if (!(await matches(storedHash, entered, standIn))) return null;
      if (isDisabled) throw noAccess();
      return {};
    },
    refusal,
  );
}
