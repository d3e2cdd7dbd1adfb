import { sql, type Kysely } from 'kysely';
import type { Logger } from '../../platform/settings/options.ts';
import type { Tables } from './tables.ts';
import { usernameKey } from './usernameKey.ts';

/** The columns of an e-mail address. */
export function emailColumns(email: string): Record<'email' | 'email_key' | 'email_key_of', string> {
  return { email, email_key: usernameKey(email), email_key_of: email };
}

const batchSize = 1000;

/**
 * Fills in the keys of addresses that earlier releases wrote without one. Accounts whose addresses now have the same
 * key are not changed; the log names them.
 */
export async function fillEmailKeys(db: Kysely<Tables>, logger: Logger): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('users')
      .select(['uid', 'email'])
      .where(sql<boolean>`email_key_of is distinct from email`)
      .limit(batchSize)
      .execute();
    if (rows.length === 0) return;
    const keys = rows.map(({ email }) => usernameKey(email));
    await sql`
      update users set email_key = given.key, email_key_of = given.email
      from unnest(${rows.map(({ uid }) => uid)}::text[], ${rows.map(({ email }) => email)}::text[], ${keys}::text[])
        as given(uid, email, key)
      where users.uid = given.uid and users.email = given.email`.execute(db);
    const shared = await sql<{ uids: readonly string[] }>`
      select array_agg(uid order by uid) as uids from users where email_key = any(${keys}::text[])
      group by email_key having count(distinct lower(email)) > 1`.execute(db);
    for (const { uids } of shared.rows)
      logger.warn('addresses of several accounts are one', { uids: uids.join(' ') });
  }
}
