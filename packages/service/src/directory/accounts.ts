import type { Transaction } from 'kysely';
import { accountEvents } from '../accounts/events.ts';
import { sessionEvents } from '../session/events.ts';
import { mfaEvents } from '../mfa/events.ts';
import { findByUid, findByUsername } from '../accounts/accounts.ts';
import { withAnyUserLocked } from '../accounts/lockUser.ts';
import { removeFactors } from '../mfa/factors.ts';
import { trustDevice } from '../mfa/trustedDevices.ts';
import { forgetPerson } from '../core/audit/auditLog.ts';
import { emailColumns } from '../core/database/emailKeys.ts';
import type { Tables } from '../core/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import type {
  Account,
  AccountChanges,
  AccountDirectory,
  AccountFilter,
  AccountInput,
  DirectoryParts,
  ExportChoice,
  FileAccount,
  ListedAccount,
  PersonExport,
} from '../core/directory.ts';
import { passwordScope } from '../core/limits/attemptKeys.ts';
import { endSessionsOf, endSomeSessions } from '../session/endSessions.ts';
import type { AccountContext } from './accountContext.ts';
import { accountFrom } from './accountRows.ts';
import { exportPerson } from './exportPerson.ts';
import { assignIdentity, endBindings, identitiesOf } from './identities.ts';
import { fileAccountFrom, importAccounts } from './importAccounts.ts';
import { readAccounts, type StoredAccount } from './readAccounts.ts';
import { writeAccount } from './writeAccount.ts';

export function createAccountDirectory<Part, Person>(
  context: AccountContext,
  parts: DirectoryParts<unknown, Part, Person>,
): AccountDirectory<Part, Person> {
  const { db, attempts, settings, uidOf, done, scopesOf, end } = context;
  return {
    upsert: (input) => upsert(context, input),
    ensure: async (input) => (await find(context, input.username)) ?? (await upsert(context, input)),
    change: (username, changes) => change(context, username, changes),
    resetSecondFactor: (username, { isOptional = false } = {}) =>
      end(username, mfaEvents['two-step-reset'], async (trx, uid) => {
        await removeFactors(trx, uid);
        await trx.updateTable('users').set({ must_set_up_mfa: !isOptional }).where('uid', '=', uid).execute();
      }),
    requireNewPassword: (username) =>
      end(username, accountEvents['new-password-required'], async (trx, uid) => {
        await trx.updateTable('users').set({ must_change_password: true }).where('uid', '=', uid).execute();
      }),
    usernameOf: async (uid) => (await findByUid(db, uid))?.user.username ?? null,
    find: (username) => find(context, username),
    list: async function* (filter = {}) {
      for await (const stored of readAccounts(db, filter, settings.now)) yield listedFrom(stored);
    },
    export: (choice, filter = {}) => exportAll(context, parts, choice, filter),
    exportPerson: (username) => exportOne(context, parts, username),
    import: (accounts, { isDry = false } = {}) =>
      importAccounts(context, accounts, isDry, parts.accountParts),
    remove: (username, { withEvidence = false } = {}) => remove(context, username, withEvidence),
    lock: async (username, { isRecorded = true } = {}) => {
      const uid = (await findByUsername(db, username))?.user.uid ?? null;
      await inTransaction(db, async (trx) => {
        await attempts.lock(trx, passwordScope(username));
        if (isRecorded) await done(accountEvents['account-locked'], uid, trx);
      });
    },
    unlock: async (username) => {
      if (username === undefined) await db.deleteFrom('sign_in_attempts').execute();
      else await attempts.forget(await scopesOf(username));
      const account = username === undefined ? null : await findByUsername(db, username);
      await done(accountEvents['account-unlocked'], account?.user.uid ?? null);
    },
    endSessions: (username) => end(username, sessionEvents['sessions-ended']),
    endSessionsById: async (username, ids) => {
      await endSomeSessions(context, await uidOf(username), { ids }, 'administrator');
    },
    disable: (username) =>
      end(username, accountEvents['account-disabled'], async (trx, uid) => {
        await trx
          .updateTable('users')
          .set({ disabled_at: new Date(settings.now()) })
          .where('uid', '=', uid)
          .where('disabled_at', 'is', null)
          .execute();
      }),
    enable: async (username) => {
      await withAnyUserLocked(db, await uidOf(username), async (trx, { uid }) => {
        await trx.updateTable('users').set({ disabled_at: null }).where('uid', '=', uid).execute();
        await done(accountEvents['account-enabled'], uid, trx);
      });
    },
    bindIdentity: async (username, method, identity) => {
      await withAnyUserLocked(db, await uidOf(username), async (trx, { uid }) => {
        await assignIdentity(trx, uid, method, identity, new Date(settings.now()));
        await done(accountEvents['identity-bound'], uid, trx);
      });
    },
    trustDevice: async (username) => {
      const uid = await uidOf(username);
      const token = await trustDevice(context, uid);
      await done(mfaEvents['device-trusted'], uid);
      return token;
    },
  };
}

async function find({ db, secretBox }: AccountContext, username: string): Promise<Account | null> {
  const record = await findByUsername(db, username);
  return record === null
    ? null
    : { ...accountFrom(record, secretBox), identities: await identitiesOf(db, record.user.uid) };
}

async function upsert(context: AccountContext, input: AccountInput): Promise<Account> {
  await writeAccount(context, input);
  // A network may be known because of the former password or factor.
  await context.attempts.forget(await context.scopesOf(input.username));
  const account = await find(context, input.username);
  if (account === null) throw new Error('The account was removed while it was written.');
  return account;
}

async function* exportAll<Part>(
  { db, audit, settings }: AccountContext,
  { accountParts }: Pick<DirectoryParts<unknown, Part>, 'accountParts'>,
  choice: ExportChoice,
  filter: AccountFilter,
): AsyncGenerator<FileAccount & Partial<Part> & { readonly uid: string }> {
  const { passwordHashes, sealedSecrets } = choice;
  const method = [passwordHashes ? 'hashes' : [], sealedSecrets ? 'secrets' : []].flat().join('+');
  const entry = { event: accountEvents['accounts-exported'], outcome: 'success', uid: null } as const;
  // Recorded before the first account is returned.
  await audit.record(db, { ...entry, ...(method === '' ? {} : { method }) });
  for await (const stored of readAccounts(db, filter, settings.now, accountParts)) {
    const { user } = stored;
    // `import` refuses a language that the deployment offers no longer.
    const language = settings.languages.find((one) => one === user.language) ?? null;
    yield fileAccountFrom({ ...stored, user: { ...user, language } }, choice);
  }
}

async function exportOne<Part, Person>(
  { db, audit, settings, uidOf, scopesOf }: AccountContext,
  { accountParts, exportPerson: exportMore }: DirectoryParts<unknown, Part, Person>,
  username: string,
): Promise<PersonExport & Person> {
  const uid = await uidOf(username);
  await audit.record(db, {
    event: accountEvents['accounts-exported'],
    outcome: 'success',
    uid,
    method: 'person',
  });
  for await (const stored of readAccounts(db, { username }, settings.now, accountParts))
    return exportPerson(db, stored, await scopesOf(username), exportMore);
  throw new Error('The account was removed while it was read.');
}

async function remove(
  context: AccountContext,
  username: string,
  withEvidence: boolean,
): Promise<Readonly<Record<string, number>>> {
  const { db, attempts, settings, slots, scopesOf, done } = context;
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
    await endSessionsOf(trx, user.uid, 'administrator', new Date(settings.now()));
    const pseudonym = await forgetPerson(trx, user.uid);
    const evidence = await slots.beforeErasure(
      { ...context, db: trx },
      { uid: user.uid, pseudonym, withEvidence },
    );
    await trx.deleteFrom('users').where('uid', '=', user.uid).execute();
    await done(accountEvents['account-erased'], pseudonym, trx);
    return evidence;
  });
}

async function change(context: AccountContext, username: string, changes: AccountChanges): Promise<void> {
  const { email, firstName, lastName } = changes;
  const { db, slots, uidOf, done, end } = context;
  const write = async (trx: Transaction<Tables>, uid: string): Promise<void> => {
    if (email !== undefined) {
      await endBindings(trx, uid);
      await slots.afterEmailChange({ ...context, db: trx }, uid);
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
  if (email !== undefined) return end(username, accountEvents['account-changed'], write);
  await withAnyUserLocked(db, await uidOf(username), async (trx, { uid }) => {
    await write(trx, uid);
    await done(accountEvents['account-changed'], uid, trx);
  });
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
