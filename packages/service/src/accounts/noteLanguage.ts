import type { Kysely } from 'kysely';
import type { Tables } from '../core/database/tables.ts';

/** Stores the caller's language, in which the service writes mails to this user. Keeps the stored one if the caller has none. */
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
