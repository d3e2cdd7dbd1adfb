import type { Kysely } from 'kysely';
import type { Tables } from '../core/database/tables.ts';

/** Whether the user may sign in with a password (method 'basic'). `db` may be a transaction. */
export async function offersPassword(db: Kysely<Tables>, uid: string): Promise<boolean> {
  const row = await db
    .selectFrom('login_methods')
    .select('uid')
    .where('uid', '=', uid)
    .where('method', '=', 'basic')
    .executeTakeFirst();
  return row !== undefined;
}
