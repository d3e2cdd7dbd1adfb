import type { Kysely } from 'kysely';

/** Codes that were sent, enrolments without a verified code, the replay guard, and counts of text messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('mfa_factors').addColumn('last_used_step', 'integer').execute();

  await db.schema
    .alterTable('verification_tokens')
    .addColumn('code_hash', 'text')
    .addColumn('code_expires_at', 'timestamptz')
    .execute();

  await db.schema
    .createTable('mfa_enrolments')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('uid', 'text', (column) => column.notNull().references('users.uid').onDelete('cascade'))
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('phone', 'text')
    .addColumn('country_code', 'text')
    .addColumn('code_hash', 'text')
    .addColumn('totp_secret', 'text')
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('mfa_enrolments_uid_type', ['uid', 'type'])
    .execute();
  await db.schema
    .createIndex('mfa_enrolments_expires_at')
    .on('mfa_enrolments')
    .column('expires_at')
    .execute();

  await db.schema
    .createTable('text_message_counts')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('sent', 'integer', (column) => column.notNull())
    .addColumn('window_ends_at', 'timestamptz', (column) => column.notNull())
    .execute();
}
