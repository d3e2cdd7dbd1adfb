import { sql, type Kysely } from 'kysely';

/** The audit log: see `audit/audit.ts`. No reference to users, because entries outlive accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_log')
    .addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) =>
      column.notNull().check(sql`outcome in ('success', 'pending', 'failure')`),
    )
    .addColumn('uid', 'text')
    .addColumn('method', 'text')
    .addColumn('reason', 'text')
    .addColumn('network', 'text')
    .addColumn('device', 'text')
    .execute();
  await db.schema.createIndex('audit_log_uid').on('audit_log').columns(['uid', 'id']).execute();
  // Entries are added in the order of time, so a BRIN index costs a sign-in almost nothing.
  await db.schema.createIndex('audit_log_at').on('audit_log').using('brin').column('at').execute();
}
