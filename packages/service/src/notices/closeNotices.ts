import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.ts';

/** Removes the notices that still lead to something: another mailbox than the present one could use them. */
export async function closeNotices(db: Kysely<Tables>, uid: string): Promise<void> {
  await db
    .deleteFrom('notices')
    .where('uid', '=', uid)
    .where((is) => is.or([is('answer', 'is', null), is('answer', '=', 'denied')]))
    .execute();
}
