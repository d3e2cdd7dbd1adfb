import type { Kysely, Transaction } from 'kysely';
import { findByUid, findByUsername } from '../accounts/accounts.ts';
import { withAnyUserLocked } from '../accounts/lockUser.ts';
import type { AuditEvent } from '../core/audit/audit.ts';
import { forgetPerson, readAuditLog, signedInFrom } from '../core/audit/auditLog.ts';
import { CommandError } from '../platform/commandError.ts';
import { emailColumns } from '../core/database/emailKeys.ts';
import type { Tables } from '../core/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import { codeScope, passwordScope } from '../core/limits/attemptKeys.ts';
import { closeApiInvitations } from '../links/links.ts';
import { createClientDirectory } from '../core/clients/clientDirectory.ts';
import { createMessageDirectory } from '../core/messages/messageDirectory.ts';
import { removeFactors } from '../mfa/factors.ts';
import { trustDevice } from '../mfa/trustedDevices.ts';
import { resealStoredSecrets } from '../core/keys/sealStoredSecrets.ts';
import { addSigningKey, revokeSigningKey } from '../core/keys/signingKeys.ts';
import type { ServiceContext } from '../core/context.ts';
import { endSessionsOf, endSomeSessions } from '../session/endSessions.ts';
import { accountFrom } from './accountRows.ts';
import type {
  Account,
  AccountInput,
  Directory,
  DirectoryParts,
  ListedAccount,
  OwnDirectory,
  UidOf,
} from '../core/directory.ts';
import { exportPerson } from './exportPerson.ts';
import { assignIdentity, endBindings, identitiesOf } from './identities.ts';
import { fileAccountFrom, importAccounts } from './importAccounts.ts';
import { readAccounts, type StoredAccount } from './readAccounts.ts';
import { writeAccount } from './writeAccount.ts';

export function createDirectory(context: ServiceContext, parts: DirectoryParts): Directory {
  const { db } = context;
  const tools = createTools(context);
  const own: OwnDirectory = {
    ...createMessageDirectory(db, context.settings.now),
    ...createClientDirectory(context),
    ...accountMethods(context, tools, parts),
    ...changeMethods(context, tools),
    ...accessMethods(context, tools),
    ...keyMethods(context, tools),
    auditLog: async function* ({ username, ...filter } = {}) {
      const uid = username === undefined ? {} : { uid: await tools.uidOf(username) };
      const clientEvents = Object.entries(context.slots.auditEvents).flatMap(([event, { isOfClient }]) =>
        isOfClient === true ? [event] : [],
      );
      yield* readAuditLog(db, { ...uid, ...filter }, clientEvents);
    },
    signedInFrom: (network, period = {}) => signedInFrom(db, { network, ...period }),
    resetAll: () => db.transaction().execute(removeEverything),
    snapshot: () => snapshotOf(db, parts.snapshot),
  };
  return { ...own, ...parts.methods(context, tools.uidOf) } as Directory;
}

type Tools = ReturnType<typeof createTools>;

/** Functions that several methods use. */
function createTools(context: ServiceContext) {
  const { db, audit } = context;
  const uidOf: UidOf = async (username) => {
    const account = await findByUsername(db, username);
    if (account === null) throw new Error('There is no account with this username.');
    return account.user.uid;
  };
  const done = (event: AuditEvent, uid: string | null, trx: Kysely<Tables> = db): Promise<void> =>
    audit.record(trx, { event, outcome: 'success', uid });
  const read = async (username: string): Promise<Account | null> => {
    const record = await findByUsername(db, username);
    return record === null
      ? null
      : { ...accountFrom(record, context.secretBox), identities: await identitiesOf(db, record.user.uid) };
  };
  const scopesOf = async (username: string): Promise<readonly string[]> => {
    const account = await findByUsername(db, username);
    const codes =
      account === null
        ? []
        : (['challenge', 'setup'] as const).map((kind) => codeScope(kind, account.user.uid));
    return [passwordScope(username), ...codes];
  };
  /** Ends all access that was granted for an account, including API invitations mailed to its address. */
  const end = async (
    username: string,
    event: AuditEvent,
    more?: (trx: Transaction<Tables>, uid: string) => Promise<void>,
  ): Promise<void> => {
    await withAnyUserLocked(db, await uidOf(username), async (trx, { uid, email }) => {
      await context.slots.endAccess({ ...context, db: trx }, uid, 'administrator');
      await closeApiInvitations({ ...context, db: trx }, { mailbox: email });
      await more?.(trx, uid);
      await done(event, uid, trx);
    });
  };
  return { uidOf, done, read, scopesOf, end };
}

/** Reads, writes and moves accounts. */
function accountMethods(
  context: ServiceContext,
  { uidOf, done, read, scopesOf }: Tools,
  { accountParts, exportPerson: exportMore }: DirectoryParts,
) {
  const { db, attempts, audit } = context;
  const upsertAccount = async (input: AccountInput): Promise<Account> => {
    await writeAccount(context, input);
    // A network may be known because of the former password or factor.
    await attempts.forget(await scopesOf(input.username));
    const account = await read(input.username);
    if (account === null) throw new Error('The account was removed while it was written.');
    return account;
  };

  return {
    upsertAccount,
    usernameOf: async (uid) => (await findByUid(db, uid))?.user.username ?? null,
    findAccount: read,
    ensureAccount: async (input) => (await read(input.username)) ?? (await upsertAccount(input)),
    listAccounts: async function* (filter = {}) {
      for await (const stored of readAccounts(db, filter, context.settings.now)) yield listedFrom(stored);
    },
    exportAccounts: async function* (choice, filter = {}) {
      const { passwordHashes, sealedSecrets } = choice;
      const method = [passwordHashes ? 'hashes' : [], sealedSecrets ? 'secrets' : []].flat().join('+');
      const entry = { event: 'accounts-exported', outcome: 'success', uid: null } as const;
      // Recorded before the first account is returned.
      await audit.record(db, { ...entry, ...(method === '' ? {} : { method }) });
      for await (const stored of readAccounts(db, filter, context.settings.now, accountParts))
        yield fileAccountFrom(stored, choice);
    },
    exportPerson: async (username) => {
      const uid = await uidOf(username);
      await audit.record(db, { event: 'accounts-exported', outcome: 'success', uid, method: 'person' });
      for await (const stored of readAccounts(db, { username }, context.settings.now, accountParts))
        return exportPerson(db, stored, await scopesOf(username), exportMore);
      throw new Error('The account was removed while it was read.');
    },
    importAccounts: (accounts, { isDry = false } = {}) =>
      importAccounts(context, accounts, isDry, accountParts),
    removeAccount: async (username, { withEvidence = false } = {}) => {
      await attempts.forget(await scopesOf(username));
      return inTransaction(db, async (trx) => {
        const user = await trx
          .selectFrom('users')
          .select('uid')
          .where('username_key', '=', usernameKey(username))
          .forUpdate()
          .executeTakeFirst();
        if (user === undefined) return {};
        // Open tabs are informed of sessions that end, but not of deleted rows.
        await endSessionsOf(trx, user.uid, 'administrator', new Date(context.settings.now()));
        const pseudonym = await forgetPerson(trx, user.uid);
        const erased = { uid: user.uid, pseudonym, withEvidence };
        const evidence = await context.slots.beforeErasure({ ...context, db: trx }, erased);
        await trx.deleteFrom('users').where('uid', '=', user.uid).execute();
        await done('account-erased', pseudonym, trx);
        return evidence;
      });
    },
  } satisfies Partial<OwnDirectory>;
}

/** Changes accounts, for a help desk. */
function changeMethods(context: ServiceContext, { uidOf, done, end }: Tools) {
  const { db } = context;
  return {
    changeAccount: async (username, changes) => {
      const { email, firstName, lastName } = changes;
      const write = async (trx: Transaction<Tables>, uid: string): Promise<void> => {
        if (email !== undefined) {
          await endBindings(trx, uid);
          await context.slots.afterEmailChange({ db: trx }, uid);
        }
        await trx
          .updateTable('users')
          .set({
            ...(changes.username === undefined
              ? {}
              : { username: changes.username, username_key: usernameKey(changes.username) }),
            ...(email === undefined ? {} : emailColumns(email)),
            ...(firstName === undefined ? {} : { first_name: firstName }),
            ...(lastName === undefined ? {} : { last_name: lastName }),
          })
          .where('uid', '=', uid)
          .execute();
      };
      if (email !== undefined) return end(username, 'account-changed', write);
      await withAnyUserLocked(db, await uidOf(username), async (trx, { uid }) => {
        await write(trx, uid);
        await done('account-changed', uid, trx);
      });
    },
    resetSecondFactor: (username, { isOptional = false } = {}) =>
      end(username, 'two-step-reset', async (trx, uid) => {
        await removeFactors(trx, uid);
        await trx.updateTable('users').set({ must_set_up_mfa: !isOptional }).where('uid', '=', uid).execute();
      }),
    requireNewPassword: (username) =>
      end(username, 'new-password-required', async (trx, uid) => {
        await trx.updateTable('users').set({ must_change_password: true }).where('uid', '=', uid).execute();
      }),
  } satisfies Partial<OwnDirectory>;
}

/** Locks accounts, and ends or gives access. */
function accessMethods(context: ServiceContext, { uidOf, done, scopesOf, end }: Tools) {
  const { db, attempts } = context;
  return {
    lock: async (username, { isRecorded = true } = {}) => {
      const uid = (await findByUsername(db, username))?.user.uid ?? null;
      await inTransaction(db, async (trx) => {
        await attempts.lock(trx, passwordScope(username));
        if (isRecorded) await done('account-locked', uid, trx);
      });
    },
    unlock: async (username) => {
      if (username === undefined) await db.deleteFrom('sign_in_attempts').execute();
      else await attempts.forget(await scopesOf(username));
      const account = username === undefined ? null : await findByUsername(db, username);
      await done('account-unlocked', account?.user.uid ?? null);
    },
    endSessions: (username) => end(username, 'sessions-ended'),
    endSessionsById: async (username, ids) => {
      await endSomeSessions(context, await uidOf(username), { ids }, 'administrator');
    },
    disable: (username) =>
      end(username, 'account-disabled', async (trx, uid) => {
        await trx
          .updateTable('users')
          .set({ disabled_at: new Date(context.settings.now()) })
          .where('uid', '=', uid)
          .where('disabled_at', 'is', null)
          .execute();
      }),
    enable: async (username) => {
      await withAnyUserLocked(db, await uidOf(username), async (trx, { uid }) => {
        await trx.updateTable('users').set({ disabled_at: null }).where('uid', '=', uid).execute();
        await done('account-enabled', uid, trx);
      });
    },
    bindIdentity: async (username, method, identity) => {
      await withAnyUserLocked(db, await uidOf(username), async (trx, { uid }) => {
        await assignIdentity(trx, uid, method, identity, new Date(context.settings.now()));
        await done('identity-bound', uid, trx);
      });
    },
    trustDevice: async (username) => {
      const uid = await uidOf(username);
      const token = await trustDevice(context, uid);
      await done('device-trusted', uid);
      return token;
    },
  } satisfies Partial<OwnDirectory>;
}

/** The keys of the service. */
function keyMethods(context: ServiceContext, { done }: Tools) {
  const { db } = context;
  return {
    rotateSigningKey: async () => {
      const added = await addSigningKey(db, context.secretBox, context.settings.now);
      if (added === null) throw new Error('No signing key was added.');
      await done('signing-key-rotated', null);
      return added;
    },
    listSigningKeys: async () => {
      const rows = await db
        .selectFrom('signing_keys')
        .select(['kid', 'created_at'])
        .orderBy('created_at')
        .execute();
      return rows.map(({ kid, created_at }) => ({ kid, signsFrom: created_at }));
    },
    revokeSigningKey: (kid) =>
      inTransaction(db, async (trx) => {
        const signs = await revokeSigningKey(trx, context.secretBox, kid, context.settings.now);
        if (signs !== null) await done('signing-key-revoked', null, trx);
        return signs;
      }),
    resealSecrets: async () => {
      const behind = await context.encryptionKeys.withoutFirstKey();
      if (behind.length > 0)
        throw new CommandError(
          `Nothing was changed: these processes do not encrypt with the first key of encryptionKey (ENCRYPTION_KEY): ${behind.join(', ')}. Restart them with it. A process that was killed counts as running for a minute.`,
        );
      const secrets = await resealStoredSecrets(db, context.secretBox);
      await done('secrets-resealed', null);
      return secrets;
    },
  } satisfies Partial<OwnDirectory>;
}

function listedFrom(stored: StoredAccount): ListedAccount {
  const { user, lockedUntil } = stored;
  const { mfa, ...account } = fileAccountFrom(stored, { passwordHashes: false, sealedSecrets: false });
  return {
    ...account,
    disabledAt: user.disabled_at,
    mustChangePassword: user.must_change_password,
    hasPassword: user.password_hash !== null,
    mfa: mfa?.type ?? null,
    createdAt: user.created_at,
    lockedUntil,
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
