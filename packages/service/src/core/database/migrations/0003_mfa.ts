import { sql, type Kysely } from 'kysely';

/** Second factors, the tokens of challenges and of verified identities, and trusted devices. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mfa_factors')
    .addColumn('uid', 'text', (column) => column.notNull().references('users.uid').onDelete('cascade'))
    .addColumn('type', 'text', (column) => column.notNull().check(sql`type in ('authy', 'mfa')`))
    .addColumn('phone', 'text')
    .addColumn('country_code', 'text')
    .addColumn('authy_id', 'text')
    .addColumn('totp_secret', 'text')
    .addColumn('activated_at', 'timestamptz')
    .addPrimaryKeyConstraint('mfa_factors_pkey', ['uid', 'type'])
    .execute();

  await db.schema
    .createTable('verification_tokens')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('uid', 'text', (column) => column.notNull().references('users.uid').onDelete('cascade'))
    .addColumn('purpose', 'text', (column) =>
      column.notNull().check(sql`purpose in ('challenge', 'identity')`),
    )
    .addColumn('method', 'text', (column) => column.notNull())
    .addColumn('mfa_type', 'text')
    .addColumn('session_id', 'text', (column) => column.references('sessions.id').onDelete('cascade'))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('verification_tokens_expires_at')
    .on('verification_tokens')
    .column('expires_at')
    .execute();

  await db.schema
    .createTable('trusted_devices')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('uid', 'text', (column) => column.notNull().references('users.uid').onDelete('cascade'))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
}
