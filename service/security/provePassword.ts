import { lockedOut, type ServiceError } from '../errors';
import type { ServiceContext } from '../serviceContext';
import { attemptSubject } from './usernameKey';

/** A password that was entered, and what it has to match. */
export interface PasswordProof {
  /** Failures count against it, whoever stands behind it. */
  readonly username: string;
  /** `null`: unknown user, or one without a password. */
  readonly storedHash: string | null;
  readonly entered: string;
}

/**
 * Checks a password under the lockout of its username, the same at sign-in and wherever it is asked for again: a
 * stolen session gets no tries of its own.
 *
 * @param refusal what a wrong password is answered.
 * @throws ServiceError the refusal, 429 while the username is locked, or as `HashQueue`: then nothing was counted.
 */
export async function provePassword(
  { attempts, passwords }: Pick<ServiceContext, 'attempts' | 'passwords'>,
  { username, storedHash, entered }: PasswordProof,
  refusal: () => ServiceError,
): Promise<void> {
  const subject = attemptSubject('password', username);
  await passwords.inTurn(async ({ matches }) => {
    const reservation = await attempts.reserve(subject);
    if (!reservation.allowed) throw lockedOut(reservation.retryAfterSeconds);
    if (await matches(storedHash, entered)) {
      await attempts.succeeded(subject);
      return;
    }
    const outcome = await attempts.failed(subject, reservation);
    throw outcome.locked ? lockedOut(outcome.retryAfterSeconds) : refusal();
  });
}
