import { sql, type Kysely } from 'kysely';

/** The latest refused requests of each client, at most 50: see `refusals.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('openid_refusals')
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('slot', 'integer', (column) => column.notNull().check(sql`slot between 0 and 49`))
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('endpoint', 'text', (column) => column.notNull())
    .addColumn('error', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('times', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('openid_refusals_pkey', ['client_id', 'slot'])
    .execute();
}
