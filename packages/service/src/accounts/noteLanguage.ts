import type { Kysely } from 'kysely';
import type { Tables } from '../core/database/tables.ts';

/**
 * Stores the caller's language for later mails to this user, at a sign-in or when a link from a mail is used. The mails about the same call
 * are written before it. Keeps the stored language if the caller has none.
 */
export async function noteLanguage(
  db: Kysely<Tables>,
  uid: string,
  language: string | undefined,
): Promise<void> {
  if (language === undefined) return;
  await db
    .updateTable('users')
    .set({ language })
    .where('uid', '=', uid)
    .where((eb) => eb('language', 'is distinct from', language))
    .execute();
}
