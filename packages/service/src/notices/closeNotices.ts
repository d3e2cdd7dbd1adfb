import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** Removes the open notices of a user: another mailbox than the present one could answer them. */
export async function closeNotices(db: Kysely<Tables>, uid: string): Promise<void> {
  await db.deleteFrom('notices').where('uid', '=', uid).where('answer', 'is', null).execute();
}
