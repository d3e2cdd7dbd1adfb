import type { Kysely } from 'kysely';

/** Facts of capabilities in the audit log, as JSON. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('audit_log').addColumn('details', 'jsonb').execute();
}
