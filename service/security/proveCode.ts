import { codeRefused, lockedOut } from '../errors';
import type { ServiceContext } from '../serviceContext';

/**
 * Checks a code of six digits under a lockout of its own: an attempt is counted before the code is looked at.
 *
 * @param subject see `codeSubject`.
 * @param accept looks at the code and uses it up where it fits; `null` for a wrong one.
 * @returns what `accept` made of the right code.
 * @throws ServiceError 401 `invalid_code`, 429 while the subject is locked.
 */
export async function proveCode<Result extends object>(
  { attempts }: Pick<ServiceContext, 'attempts'>,
  subject: string,
  accept: () => Promise<Result | null>,
): Promise<Result> {
  const reservation = await attempts.reserve(subject);
  if (!reservation.allowed) throw lockedOut(reservation.retryAfterSeconds);
  const result = await accept();
  if (result !== null) {
    await attempts.succeeded(subject);
    return result;
  }
  const outcome = await attempts.failed(subject, reservation);
  throw outcome.locked ? lockedOut(outcome.retryAfterSeconds) : codeRefused();
}
