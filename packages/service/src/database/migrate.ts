import { readdir } from 'node:fs/promises';
import {
  DEFAULT_MIGRATION_TABLE,
  Migrator,
  sql,
  type Kysely,
  type Migration,
  type MigrationResult,
  type MigrationResultSet,
} from 'kysely';
import type { Tables } from './tables.ts';

/**
 * The files of `migrations`, in the order of their numbers. Append only: a released migration is never edited. A migration
 * must be compatible with the previous release, because both run side by side during an upgrade.
 */
export async function readMigrations(): Promise<Record<string, Migration>> {
  const files = await readdir(new URL('./migrations', import.meta.url));
  const names = files.filter((file) => /^\d{4}_\w+\.[jt]s$/.test(file)).sort();
  const entries = names.map(async (file) => [
    file.slice(0, -3),
    (await import(`./migrations/${file}`)) as Migration,
  ]);
  return Object.fromEntries(await Promise.all(entries)) as Record<string, Migration>;
}

/**
 * Whether the schema has all migrations of this release; it may have more, from a newer one.
 *
 * @throws if the database does not respond.
 */
export async function isSchemaCurrent(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  const present = new Set(rows.map(({ name }) => name));
  return Object.keys(await readMigrations()).every((name) => present.has(name));
}

/** The migrations of this release that the database lacks, in their order, and whether it has any. */
async function compareSchema(
  migrator: Migrator,
): Promise<{ readonly missing: readonly string[]; readonly isEmpty: boolean }> {
  const all = await migrator.getMigrations();
  const missing = all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
  return { missing, isEmpty: missing.length === all.length };
}

const migratorOf = (db: Kysely<Tables>): Migrator =>
  new Migrator({ db, provider: { getMigrations: readMigrations } });

/**
 * Brings the schema up to date, in one transaction. Several processes may start at once: Kysely holds an advisory lock.
 *
 * @throws the error of the migration that failed; its changes are rolled back.
 */
export async function migrateToLatest(db: Kysely<Tables>): Promise<void> {
  const migrator = migratorOf(db);
  // Kysely rejects a database that a newer release has migrated, but this release must be able to run next to that one
  // and after it.
  if ((await compareSchema(migrator)).missing.length === 0) return;
  checked(await migrator.migrateToLatest());
}

/**
 * Creates the schema in an empty database; changes none that is there.
 *
 * @throws SchemaError if the schema lacks a migration.
 */
export async function requireSchema(db: Kysely<Tables>): Promise<void> {
  const migrator = migratorOf(db);
  const { missing, isEmpty } = await compareSchema(migrator);
  if (isEmpty) checked(await migrator.migrateToLatest());
  else if (missing.length > 0) throw new SchemaError(missing);
}

/** The schema is of an earlier release. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';

  constructor(missing: readonly string[]) {
    super(`The database lacks ${missing.join(', ')} of this release: run \`vestibule migrate\` first.`);
  }
}

/** The id of the lock, unique in the database. */
const migrationLock = 7_303_014_772;

/**
 * Brings the schema up to date, each migration in a transaction of its own. Of several at once, one works and the others wait.
 *
 * @param onDone called with the name of each migration when it is done.
 * @throws the error of the migration that failed; its changes are rolled back.
 */
export async function migrateOneByOne(
  db: Kysely<Tables>,
  onDone: (migration: string) => void,
): Promise<void> {
  // Kysely's own lock does not suffice: it reads which migration is next before it takes the lock.
  await db.connection().execute(async (own) => {
    await sql`select pg_advisory_lock(${migrationLock})`.execute(own);
    const migrator = migratorOf(own);
    while ((await compareSchema(migrator)).missing.length > 0)
      for (const { migrationName } of checked(await migrator.migrateUp())) onDone(migrationName);
    await sql`select pg_advisory_unlock(${migrationLock})`.execute(own);
  });
}

function checked({ error, results = [] }: MigrationResultSet): readonly MigrationResult[] {
  if (error === undefined) return results;
  throw error instanceof Error ? error : new Error('The database schema could not be brought up to date.');
}
