import type { Transaction } from 'kysely';
import type { Tables, UserRow } from '../database/tables';
import { passwordScope } from '../limits/attemptKeys';
import { closeLinks } from '../links/links';
import { type Letter, writeMail } from '../mails/letter';
import { passwordChangedLetter } from '../mails/letters';
import { closeChallenges } from '../mfa/openChallenge';
import { revokeTrustedDevices } from '../mfa/trustedDevices';
import type { ServiceContext } from '../serviceContext';
import { endSessionsOf } from '../session/endSessions';

/**
 * Stores a password in place of an earlier one, and ends all that the earlier one, or a mailbox, has opened: sessions,
 * verified identities, challenges, trusted devices, links.
 *
 * @param trx holds the user's row: see `withUserLocked`.
 */
export async function replacePassword(
  trx: Transaction<Tables>,
  settings: ServiceContext['settings'],
  uid: string,
  passwordHash: string,
): Promise<void> {
  const now = new Date(settings.now());
  await trx
    .updateTable('users')
    .set({ password_hash: passwordHash, password_changed_at: now })
    .where('uid', '=', uid)
    .execute();
  await endSessionsOf(trx, uid, 'password', now);
  await closeChallenges(trx, uid);
  await revokeTrustedDevices(trx, uid);
  await closeLinks({ db: trx, settings }, uid);
}

/** What follows once it is stored: failed attempts are forgotten, and the owner hears of it. */
export async function afterPasswordReplaced(context: ServiceContext, user: UserRow): Promise<void> {
  const { attempts, settings } = context;
  await attempts.forget([passwordScope(user.username)]);
  const addressee = { firstName: user.first_name, username: user.username };
  sendLater(context, user.email, passwordChangedLetter(addressee, settings.now(), settings.links));
}

/** Sends a mail after the present call has been answered: neither its time nor its failure is the caller's to know. */
function sendLater(
  { background, settings }: Pick<ServiceContext, 'background' | 'settings'>,
  to: string,
  letter: Letter,
): void {
  background.run('mail', () => settings.outbox.sendMail(writeMail(to, letter)));
}
