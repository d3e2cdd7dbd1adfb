import type { Kysely } from 'kysely';

/** Fingerprints of providers' codes and nonces, each of which is accepted once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('spent_proofs')
    .addColumn('fingerprint', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('spent_proofs_expires_at').on('spent_proofs').column('expires_at').execute();
}
