import { codeRefused, lockedOut } from '../errors';
import type { ServiceContext } from '../serviceContext';
import type { Passwords } from './passwords';

/**
 * Checks a code of six digits under a lockout of its own: an attempt is counted before the code is looked at.
 *
 * @param subject see `codeSubject`.
 * @param accept looks at the code, in its turn, and uses it up where it fits; `null` for a wrong one.
 * @returns what `accept` made of the right code.
 * @throws ServiceError 401 `invalid_code`, 429 while the subject is locked, or as `HashQueue`: then nothing was counted.
 */
export async function proveCode<Result extends object>(
  { attempts, passwords }: Pick<ServiceContext, 'attempts' | 'passwords'>,
  subject: string,
  accept: (passwords: Passwords) => Promise<Result | null>,
): Promise<Result> {
  return passwords.inTurn(async (own) => {
    const reservation = await attempts.reserve(subject);
    if (!reservation.allowed) throw lockedOut(reservation.retryAfterSeconds);
    const result = await accept(own);
    if (result !== null) {
      await attempts.succeeded(subject);
      return result;
    }
    const outcome = await attempts.failed(subject, reservation);
    throw outcome.locked ? lockedOut(outcome.retryAfterSeconds) : codeRefused();
  });
}
