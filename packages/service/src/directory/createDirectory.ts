import type { Kysely, Transaction } from 'kysely';
import { createClientDirectory } from '../core/clients/clientDirectory.ts';
import type { Tables } from '../core/database/tables.ts';
import type { CoreDirectory, DirectoryParts } from '../core/directory.ts';
import { createMessageDirectory } from '../core/messages/messageDirectory.ts';
import type { ServiceContext } from '../core/context.ts';
import { createAccountContext } from './accountContext.ts';
import { createAccountDirectory } from './accounts.ts';
import { createAuditDirectory } from './auditLog.ts';
import { createKeyDirectory } from './keys.ts';

export function createDirectory<Added, Part, Person>(
  context: ServiceContext,
  parts: DirectoryParts<Added, Part, Person>,
): CoreDirectory<Part, Person> & Added {
  const { db, settings } = context;
  const accountContext = createAccountContext(context);
  const { uidOf } = accountContext;
  return {
    ...parts.objects(context, uidOf),
    accounts: createAccountDirectory(accountContext, parts),
    keys: createKeyDirectory(context),
    clients: createClientDirectory(context),
    messages: createMessageDirectory(db, settings.now),
    auditLog: createAuditDirectory(context, uidOf),
    resetAll: () => db.transaction().execute(removeEverything),
    snapshot: () => snapshotOf(db, parts.snapshot),
  };
}

async function removeEverything(trx: Transaction<Tables>): Promise<void> {
  await trx.deleteFrom('users').execute();
  await trx.deleteFrom('sign_in_attempts').execute();
  await trx.deleteFrom('text_message_counts').execute();
  await trx.deleteFrom('links').execute();
  await trx.deleteFrom('outbox_messages').execute();
  await trx.deleteFrom('api_credentials').execute();
  await trx.deleteFrom('audit_log').execute();
  await trx.deleteFrom('clients').execute();
}

/**
 * One transaction with one insert per table: writing accounts one by one costs a dozen statements and a hash each.
 */
async function snapshotOf(
  db: Kysely<Tables>,
  snapshotMore: DirectoryParts['snapshot'],
): Promise<() => Promise<void>> {
  const rows = await db.selectFrom('users').selectAll().execute();
  const users = rows.map((row) => ({ ...row, personas: JSON.stringify(row.personas) }));
  const methods = await db.selectFrom('login_methods').selectAll().execute();
  const factors = await db.selectFrom('mfa_factors').selectAll().execute();
  const identities = await db.selectFrom('provider_identities').selectAll().execute();
  const restoreMore = await snapshotMore(db);
  return () =>
    db.transaction().execute(async (trx) => {
      await removeEverything(trx);
      // An insert without rows is invalid SQL.
      if (users.length > 0) await trx.insertInto('users').values(users).execute();
      if (methods.length > 0) await trx.insertInto('login_methods').values(methods).execute();
      if (factors.length > 0) await trx.insertInto('mfa_factors').values(factors).execute();
      if (identities.length > 0) await trx.insertInto('provider_identities').values(identities).execute();
      await restoreMore(trx);
    });
}
