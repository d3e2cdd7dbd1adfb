import type { UserRow } from '../core/database/tables.ts';
import { passwordScope } from '../core/limits/attemptKeys.ts';
import { passwordChangedLetter } from '../core/mails/letters.ts';
import type { WrittenMessage } from '../core/messages/messages.ts';
import type { ServiceContext, TransactionContext } from '../core/context.ts';

/**
 * Replaces a password, ends all access that was granted with the old one (see `Slots.endAccess`), and notifies the owner by
 * mail.
 *
 * @param context its transaction locks the user's row: see `withUserLocked`.
 * @returns the argument of `afterPasswordReplaced`.
 */
export async function replacePassword(
  context: TransactionContext,
  user: UserRow,
  passwordHash: string,
): Promise<ReplacedPassword> {
  const { db, settings, messages, audit, slots } = context;
  const { uid } = user;
  const now = settings.now();
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash, password_changed_at: new Date(now), must_change_password: false })
    .where('uid', '=', uid)
    .execute();
  await slots.endAccess(context, uid, 'password');
  // The notice of the audit entry replaces the mail.
  if (audit.tellsOwner) return { user, mail: null };
  const letter = passwordChangedLetter(
    { firstName: user.first_name, username: user.username },
    now,
    settings.links,
  );
  const content = { to: user.email, letter };
  const mail = await messages.write(db, { channel: 'mail', kind: 'password-changed', uid, content });
  return { user, mail };
}

interface ReplacedPassword {
  readonly user: UserRow;
  readonly mail: WrittenMessage;
}

/** Runs after the commit: clears failed attempts, and sends the mail. */
export async function afterPasswordReplaced(
  { attempts, messages }: ServiceContext,
  { user, mail }: ReplacedPassword,
): Promise<void> {
  messages.sendSoon(mail);
  await attempts.forget([passwordScope(user.username)]);
}
