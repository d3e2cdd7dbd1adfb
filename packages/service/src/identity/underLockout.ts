import { inTransaction } from '../platform/database/transaction.ts';
import { lockedOut } from '../core/errors.ts';
import type { ServiceError } from '../platform/errors.ts';
import { digestOf, type AttemptKey } from '../core/limits/attemptKeys.ts';
import { countMessage } from '../core/limits/messageCounts.ts';
import { wrongCodesLetter, wrongPasswordsLetter } from '../core/mails/letters.ts';
import type { Passwords } from '../platform/security/passwords.ts';
import type { ServiceContext } from '../core/context.ts';
import { identityEvents } from './events.ts';

/**
 * Checks a secret under the lockout: the attempt is counted before the secret is checked.
 *
 * @param check checks the secret, within the hash queue, and consumes it if necessary; `null` for a wrong one. It
 * throws only if it cannot decide, or after the secret was right: that is not a failed attempt.
 * @param refusal the error for a wrong secret.
 * @returns the result of `check` for the right secret.
 * @throws ServiceError the refusal; 429 while the key is locked; as `HashQueue` or `check`, without counting the
 * attempt.
 */
export async function underLockout<Result extends object>(
  context: ServiceContext,
  key: AttemptKey,
  check: (passwords: Passwords) => Promise<Result | null>,
  refusal: () => ServiceError,
): Promise<Result> {
  const { attempts, passwords } = context;
  return passwords.inTurn(async (own) => {
    const reservation = await attempts.reserve(key);
    if (!reservation.allowed) throw lockedOut(reservation.retryAfterSeconds);
    const result = await check(own).catch(async (error: unknown) => {
      await attempts.release(reservation);
      throw error;
    });
    if (result !== null) {
      await attempts.succeeded(key, reservation);
      return result;
    }
    const { uid, kind } = key;
    const { retryAfterSeconds, isLastOfDay } = await attempts.failed(reservation, (trx) =>
      context.audit.record(trx, { event: identityEvents.lockout, outcome: 'failure', uid, method: kind }),
    );
    if (isLastOfDay) warnOwner(context, key);
    throw retryAfterSeconds === null ? refusal() : lockedOut(retryAfterSeconds);
  });
}

const oncePerDay = { most: 1, windowSeconds: 86_400 };

/** The name of the work that mails it. */
export const guessWarning = 'guess warning';

/**
 * Notifies the owner that a daily limit was reached, at most once a day for passwords and once for codes. It runs
 * after the response, whose time then does not reveal whether there is an account. Codes of an enrolment are entered
 * by a signed-in user, who needs no mail.
 */
function warnOwner(context: ServiceContext, { kind, uid }: AttemptKey): void {
  const { audit, background, db, messages, settings } = context;
  settings.logger.warn('daily limit of failed attempts reached', { kind, uid });
  // The notice about the lockout replaces the mail.
  if (uid === null || kind === 'setup' || audit.tellsOwner) return;
  background.run(guessWarning, async () => {
    const mail = await inTransaction(db, async (trx) => {
      const subject = digestOf(`guess-warning:${kind}:${uid}`);
      if ((await countMessage({ db: trx, settings }, subject, oncePerDay)) !== null) return null;
      const user = await trx
        .selectFrom('users')
        .select(['email', 'first_name', 'username'])
        .where('uid', '=', uid)
        .executeTakeFirst();
      if (user === undefined) return null;
      const addressee = { firstName: user.first_name, username: user.username };
      const letter = kind === 'password' ? wrongPasswordsLetter : wrongCodesLetter;
      const content = {
        to: user.email,
        letter: letter(addressee, settings.now(), settings.links),
      };
      return messages.write(trx, { channel: 'mail', kind: `wrong-${kind}`, uid, content });
    });
    messages.sendSoon(mail);
  });
}
