import { lockedOut, type ServiceError } from '../errors';
import type { ServiceContext } from '../serviceContext';
import type { AttemptKey } from './attemptKeys';
import { warnOwner } from './guessWarning';
import type { Passwords } from './passwords';

/**
 * Checks a secret under the lockout: the attempt is counted before the secret is looked at.
 *
 * @param check looks at the secret, in its turn, and uses it up where that is due; `null` for a wrong one.
 * @param refusal what a wrong secret is answered.
 * @returns what `check` made of the right one.
 * @throws ServiceError the refusal, 429 while the key is locked, or as `HashQueue`: then nothing was counted.
 */
export async function underLockout<Result extends object>(
  context: Pick<ServiceContext, 'attempts' | 'background' | 'db' | 'passwords' | 'settings'>,
  key: AttemptKey,
  check: (passwords: Passwords) => Promise<Result | null>,
  refusal: () => ServiceError,
): Promise<Result> {
  const { attempts, passwords } = context;
  return passwords.inTurn(async (own) => {
    const reservation = await attempts.reserve(key);
    if (!reservation.allowed) throw lockedOut(reservation.retryAfterSeconds);
    const result = await check(own);
    if (result !== null) {
      await attempts.succeeded(key, reservation);
      return result;
    }
    const { retryAfterSeconds, isLastOfDay } = await attempts.failed(reservation);
    if (isLastOfDay) warnOwner(context, key);
    throw retryAfterSeconds === null ? refusal() : lockedOut(retryAfterSeconds);
  });
}
