import { withUserLocked } from '../accounts/lockUser.ts';
import type { UserRow } from '../core/database/tables.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import { newPasswordRequired } from '../core/errors.ts';
import { digestOf } from '../core/limits/attemptKeys.ts';
import { countMessage } from '../core/limits/messageCounts.ts';
import { resetLetter } from '../core/mails/letters.ts';
import type { WrittenMessage } from '../core/messages/messages.ts';
import type { ServiceContext, TransactionContext } from '../core/context.ts';
import { issueLink } from './links.ts';

/** Reset mails per address. */
export const resetMails = { most: 5, windowSeconds: 3600 };

/** The subject of `countMessage` for reset mails to an address. */
export const resetSubject = (email: string): string => digestOf(`reset-mail:${usernameKey(email)}`);

/** Issues a reset link and writes its mail, in the language of the caller. */
export async function writeResetMail(
  context: TransactionContext,
  { uid, email: to, first_name: firstName, username }: UserRow,
): Promise<WrittenMessage> {
  const { db, settings, messages, language } = context;
  const { links } = settings;
  const { url, expiresAt } = await issueLink(context, { kind: 'reset-password', uid, isMagic: false });
  const letter = resetLetter({ firstName, username }, { url, seconds: links.resetSeconds }, links);
  // Replaces an unsent mail whose link this one invalidates.
  const topic = `reset-password ${uid}`;
  return messages.write(db, {
    channel: 'mail',
    uid,
    kind: 'reset',
    topic,
    content: { to, letter },
    language,
    expiresAt,
  });
}

/**
 * Refuses a sign-in with the right password where an administrator requires a new one (`Directory.requireNewPassword`),
 * and mails a reset link, as often as 'forgot password' does.
 *
 * @throws ServiceError 401 always.
 */
export async function refuseUntilReset(context: ServiceContext, { uid, email }: UserRow): Promise<never> {
  const { db, messages } = context;
  const mail = await withUserLocked(db, uid, async (trx, user) => {
    const isTooOften = await countMessage({ ...context, db: trx }, resetSubject(email), resetMails);
    return isTooOften === null ? writeResetMail({ ...context, db: trx }, user) : null;
  });
  if (mail !== null) messages.sendSoon(mail);
  throw newPasswordRequired();
}
