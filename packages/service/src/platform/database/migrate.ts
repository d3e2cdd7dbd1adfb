import {
  DEFAULT_MIGRATION_TABLE,
  Migrator,
  sql,
  type Kysely,
  type Migration,
  type MigrationResult,
  type MigrationResultSet,
} from 'kysely';
import * as accounts from './migrations/0001_accounts.ts';
import * as sessions from './migrations/0002_sessions.ts';
import * as mfa from './migrations/0003_mfa.ts';
import * as spentProofs from './migrations/0004_spent_proofs.ts';
import * as secondStep from './migrations/0005_second_step.ts';
import * as factorsVersion from './migrations/0006_factors_version.ts';
import * as links from './migrations/0010_links.ts';
import * as sealedKeys from './migrations/0011_sealed_keys.ts';
import * as guesses from './migrations/0013_guesses.ts';
import * as providerIdentities from './migrations/0015_provider_identities.ts';
import * as auditLog from './migrations/0016_audit_log.ts';
import * as outbox from './migrations/0017_outbox.ts';
import * as disabledAccounts from './migrations/0018_disabled_accounts.ts';
import * as helpDesk from './migrations/0019_help_desk.ts';
import * as devices from './migrations/0020_devices.ts';
import * as language from './migrations/0024_language.ts';
import * as clients from './migrations/0025_clients.ts';
import * as authenticationMethods from './migrations/0026_authentication_methods.ts';
import * as rsaKeys from './migrations/0027_rsa_keys.ts';
import * as elements from './migrations/0030_elements.ts';
import * as auditDetails from './migrations/0032_audit_details.ts';
import * as outboxReceivers from './migrations/0037_outbox_receivers.ts';
import * as encryptionKeys from './migrations/0039_encryption_keys.ts';
import * as pageFiles from './migrations/0040_page_files.ts';
import { NamedError } from '../namedError.ts';
import type { Tables } from './tables.ts';

/**
 * The migrations by name. The names sort in the order of execution. A released migration is never edited. A migration must be
 * compatible with the previous release, because both run side by side during an upgrade.
 */
export type Migrations = Readonly<Record<string, Migration>>;

export const coreMigrations: Migrations = {
  '0001_accounts': accounts,
  '0002_sessions': sessions,
  '0003_mfa': mfa,
  '0004_spent_proofs': spentProofs,
  '0005_second_step': secondStep,
  '0006_factors_version': factorsVersion,
  '0010_links': links,
  '0011_sealed_keys': sealedKeys,
  '0013_guesses': guesses,
  '0015_provider_identities': providerIdentities,
  '0016_audit_log': auditLog,
  '0017_outbox': outbox,
  '0018_disabled_accounts': disabledAccounts,
  '0019_help_desk': helpDesk,
  '0020_devices': devices,
  '0024_language': language,
  '0025_clients': clients,
  '0026_authentication_methods': authenticationMethods,
  '0027_rsa_keys': rsaKeys,
  '0030_elements': elements,
  '0032_audit_details': auditDetails,
  '0037_outbox_receivers': outboxReceivers,
  '0039_encryption_keys': encryptionKeys,
  '0040_page_files': pageFiles,
};

/**
 * Whether the schema has all migrations of this release; it may have more, from a newer one.
 *
 * @throws if the database does not respond.
 */
export async function isSchemaCurrent(db: Kysely<Tables>, migrations: Migrations): Promise<boolean> {
  const present = new Set(await migrationsOf(db));
  return Object.keys(migrations).every((name) => present.has(name));
}

async function migrationsOf(db: Kysely<Tables>): Promise<readonly string[]> {
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
export async function schemaState(db: Kysely<Tables>, migrations: Migrations): Promise<SchemaState> {
  const { missing, isEmpty } = await compareSchema(migratorOf(db, migrations));
  const present = isEmpty ? [] : await migrationsOf(db);
  return { missing, isEmpty, newer: present.filter((name) => !(name in migrations)).sort() };
}

async function compareSchema(migrator: Migrator): Promise<Omit<SchemaState, 'newer'>> {
  const all = await migrator.getMigrations();
  const missing = all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
  return { missing, isEmpty: missing.length === all.length };
}

const migratorOf = (db: Kysely<Tables>, migrations: Migrations): Migrator =>
  new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } });

/**
 * Brings the schema up to date, in one transaction. Several processes may start at once: Kysely holds an advisory lock.
 *
 * @throws NamedError for the migration that failed; its changes are rolled back.
 */
export async function migrateToLatest(db: Kysely<Tables>, migrations: Migrations): Promise<void> {
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
export async function requireSchema(db: Kysely<Tables>, migrations: Migrations): Promise<void> {
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
export async function migrateOneByOne(
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
