import {
  DEFAULT_MIGRATION_TABLE,
  Migrator,
  sql,
  type Kysely,
  type Migration,
  type MigrationResult,
  type MigrationResultSet,
} from 'kysely';
import { NamedError } from '../namedError.ts';

/**
 * The migrations by name. The names sort in the order of execution. A released migration is never edited. A migration must be
 * compatible with the previous release, because both run side by side during an upgrade.
 */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Whether the schema has all migrations of this release; it may have more, from a newer one.
 *
 * @throws if the database does not respond.
 */
export async function isSchemaCurrent<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<boolean> {
  const present = new Set(await migrationsOf(db));
  return Object.keys(migrations).every((name) => present.has(name));
}

async function migrationsOf<Tables>(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  return rows.map(({ name }) => name);
}

/** How a schema compares with this release. */
export interface SchemaState {
  /** The migrations that it lacks, in their order. */
  readonly missing: readonly string[];
  /** Whether it lacks all of them. */
  readonly isEmpty: boolean;
  /** The migrations of newer releases. */
  readonly newer: readonly string[];
}

/** Compares the schema with this release. @throws if the database does not respond. */
export async function schemaState<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<SchemaState> {
  const { missing, isEmpty } = await compareSchema(migratorOf(db, migrations));
  const present = isEmpty ? [] : await migrationsOf(db);
  return { missing, isEmpty, newer: present.filter((name) => !(name in migrations)).sort() };
}

async function compareSchema(migrator: Migrator): Promise<Omit<SchemaState, 'newer'>> {
  const all = await migrator.getMigrations();
  const missing = all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
  return { missing, isEmpty: missing.length === all.length };
}

const migratorOf = <Tables>(db: Kysely<Tables>, migrations: Migrations): Migrator =>
  new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } });

/**
 * Brings the schema up to date, in one transaction. Several processes may start at once: Kysely holds an advisory lock.
 *
 * @throws NamedError for the migration that failed; its changes are rolled back.
 */
export async function migrateToLatest<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<void> {
  const migrator = migratorOf(db, migrations);
  // Kysely rejects a database that a newer release has migrated, but this release must be able to run next to that one
  // and after it.
  if ((await compareSchema(migrator)).missing.length === 0) return;
  checked(await migrator.migrateToLatest());
}

/**
 * Creates the schema in an empty database, and does not change an existing one.
 *
 * @throws SchemaError if the schema lacks a migration.
 */
export async function requireSchema<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<void> {
  const migrator = migratorOf(db, migrations);
  const { missing, isEmpty } = await compareSchema(migrator);
  if (isEmpty) checked(await migrator.migrateToLatest());
  else if (missing.length > 0) throw new SchemaError(missing);
}

/** The schema is of an earlier release. */
class SchemaError extends Error {
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
 * @throws NamedError for the migration that failed; its changes are rolled back.
 */
export async function migrateOneByOne<Tables>(
  db: Kysely<Tables>,
  migrations: Migrations,
  onDone: (migration: string) => void,
): Promise<void> {
  // Kysely's own lock does not suffice: it reads which migration is next before it takes the lock.
  await db.connection().execute(async (own) => {
    await sql`select pg_advisory_lock(${migrationLock})`.execute(own);
    const migrator = migratorOf(own, migrations);
    while ((await compareSchema(migrator)).missing.length > 0)
      for (const { migrationName } of checked(await migrator.migrateUp())) onDone(migrationName);
    await sql`select pg_advisory_unlock(${migrationLock})`.execute(own);
  });
}

function checked({ error, results = [] }: MigrationResultSet): readonly MigrationResult[] {
  if (error === undefined) return results;
  const failed = results.find(({ status }) => status === 'Error')?.migrationName ?? 'of the schema';
  throw new NamedError(`The migration ${failed}`, error);
}
