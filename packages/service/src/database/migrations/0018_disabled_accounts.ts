import { sql, type Kysely } from 'kysely';

/**
 * Accounts can be shut, and are found by a key of their address. The keys are filled afterwards, batch by batch (`fillEmailKeys`): one
 * transaction for all would hold every user's row while the release before signs people in.
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
