import { DEFAULT_MIGRATION_TABLE, Migrator, sql, type Kysely, type Migration } from 'kysely';
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
import type { Tables } from './tables.ts';

/**
 * Append only: a released migration is never edited. Keys sort in the order of execution. A migration must be
 * compatible with the previous release, because both run side by side during an upgrade.
 */
export const migrations: Record<string, Migration> = {
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
};

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
  return Object.keys(migrations).every((name) => present.has(name));
}

/**
 * Brings the schema up to date. Several processes may start at once: Kysely holds an advisory lock.
 *
 * @throws the error of the migration that failed; its changes are rolled back.
 */
export async function migrateToLatest(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  // Kysely rejects a database that a newer release has migrated, but this release must be able to run beside that one
  // and after it.
  if ((await migrator.getMigrations()).every(({ executedAt }) => executedAt !== undefined)) return;
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw error instanceof Error ? error : new Error('The database schema could not be brought up to date.');
  }
}
