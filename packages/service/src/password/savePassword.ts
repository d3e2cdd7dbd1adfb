import type { UserRow } from '../database/tables.ts';
import { passwordScope } from '../limits/attemptKeys.ts';
import { writeMail } from '../mails/letter.ts';
import { passwordChangedLetter } from '../mails/letters.ts';
import type { WrittenMessage } from '../messages/messages.ts';
import type { ServiceContext, TransactionContext } from '../serviceContext.ts';
import { endAccess } from '../sign-in/endAccess.ts';

/**
 * Stores a password in place of an earlier one, and ends all that the earlier one, or a mailbox, has opened: see `endAccess`. The owner
 * hears of it by mail.
 *
 * @param context its transaction holds the user's row: see `withUserLocked`.
 * @returns for `afterPasswordReplaced`.
 */
export async function replacePassword(
  { db, settings, messages }: Pick<TransactionContext, 'db' | 'settings' | 'messages'>,
  user: UserRow,
  passwordHash: string,
): Promise<ReplacedPassword> {
  const { uid } = user;
  const now = settings.now();
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash, password_changed_at: new Date(now) })
    .where('uid', '=', uid)
    .execute();
  await endAccess({ db, settings }, uid, 'password');
  const letter = passwordChangedLetter(
    { firstName: user.first_name, username: user.username },
    now,
    settings.links,
  );
  const content = writeMail(user.email, letter);
  const mail = await messages.write(db, { channel: 'mail', kind: 'password-changed', uid, content });
  return { user, mail };
}

interface ReplacedPassword {
  readonly user: UserRow;
  readonly mail: WrittenMessage;
}

/** What follows once it is committed: failed attempts are forgotten, and the mail is sent. */
export async function afterPasswordReplaced(
  { attempts, messages }: Pick<ServiceContext, 'attempts' | 'messages'>,
  { user, mail }: ReplacedPassword,
): Promise<void> {
  messages.sendSoon(mail);
  await attempts.forget([passwordScope(user.username)]);
}
