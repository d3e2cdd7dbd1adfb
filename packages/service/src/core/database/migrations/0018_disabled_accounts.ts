import { sql, type Kysely } from 'kysely';

/**
 * Accounts can be disabled, and are found by a key of their address. `fillEmailKeys` fills in the keys in batches: a
 * single transaction would lock every user's row while the previous release still serves sign-ins.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('disabled_at', 'timestamptz')
    .addColumn('email_key', 'text')
    .addColumn('email_key_of', 'text')
    .execute();
  await db.schema.createIndex('users_email_key').on('users').column('email_key').execute();
  await db.schema
    .createIndex('users_without_email_key')
    .on('users')
    .column('uid')
    .where(sql<boolean>`email_key_of is distinct from email`)
    .execute();
  await db.schema.alterTable('links').addColumn('email_key', 'text').execute();
}
