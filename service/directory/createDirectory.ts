import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables';
import { removeFactors } from '../mfa/factors';
import { trustDevice } from '../mfa/trustedDevices';
import type { SecretBox } from '../security/secretBox';
import { attemptSubject, codeSubject, usernameKey } from '../security/usernameKey';
import type { ServiceContext } from '../serviceContext';
import { findByUsername } from './accounts';
import { accountFrom, factorRowFrom, methodRowsFrom } from './accountRows';
import type { Account, AccountInput, Directory } from './directory';

/** The administrator's surface over the service's own tables. */
export function createDirectory(context: ServiceContext): Directory {
  const { db, attempts } = context;

  const uidOf = async (username: string): Promise<string> => {
    const account = await findByUsername(db, username);
    if (account === null) throw new Error('There is no account of this username.');
    return account.user.uid;
  };
  const read = async (username: string): Promise<Account | null> => {
    const record = await findByUsername(db, username);
    return record === null ? null : accountFrom(record, context.secretBox);
  };
  const subjectsOf = async (username: string): Promise<readonly string[]> => {
    const account = await findByUsername(db, username);
    const codes =
      account === null
        ? []
        : (['challenge', 'setup'] as const).map((kind) => codeSubject(kind, account.user.uid));
    return [attemptSubject('password', username), ...codes];
  };
  const upsertAccount = async (input: AccountInput): Promise<Account> => {
    const passwordHash = input.password === null ? null : await context.passwords.hash(input.password);
    await db.transaction().execute((trx) =>
      writeAccount(trx, input, {
        passwordHash,
        now: new Date(context.settings.now()),
        secretBox: context.secretBox,
      }),
    );
    const account = await read(input.username);
    if (account === null) throw new Error('The account was removed while it was written.');
    return account;
  };

  return {
    upsertAccount,
    findAccount: read,
    ensureAccount: async (input) => (await read(input.username)) ?? (await upsertAccount(input)),
    removeAccount: async (username) => {
      await db.deleteFrom('users').where('username_key', '=', usernameKey(username)).execute();
    },
    lock: (username) => attempts.lock(attemptSubject('password', username)),
    unlock: async (username) => {
      const all = db.deleteFrom('sign_in_attempts');
      await (username === undefined ? all : all.where('subject', 'in', await subjectsOf(username))).execute();
    },
    endSessions: async (username) => {
      await db
        .updateTable('sessions')
        .set({ ended_at: new Date(context.settings.now()), end_reason: 'administrator' })
        .where('uid', '=', await uidOf(username))
        .where('ended_at', 'is', null)
        .execute();
    },
    trustDevice: async (username) => trustDevice(context, await uidOf(username)),
    resetAll: () => removeEverything(db),
  };
}

async function writeAccount(
  trx: Transaction<Tables>,
  input: AccountInput,
  { passwordHash, now, secretBox }: { passwordHash: string | null; now: Date; secretBox: SecretBox },
): Promise<void> {
  const attributes = {
    username: input.username,
    email: input.email,
    first_name: input.firstName,
    last_name: input.lastName,
    password_hash: passwordHash,
    password_changed_at: input.lastReset,
    personas: JSON.stringify(input.personas),
    must_set_up_mfa: input.mustSetUpMfa,
  };
  const { uid } = await trx
    .insertInto('users')
    .values({
      uid: input.uid ?? randomUUID(),
      username_key: usernameKey(input.username),
      created_at: now,
      ...attributes,
    })
    .onConflict((conflict) => conflict.column('username_key').doUpdateSet(attributes))
    .returning('uid')
    .executeTakeFirstOrThrow();
  if (input.uid !== undefined && input.uid !== uid) {
    throw new Error('The username belongs to an account of another uid.');
  }
  await trx.deleteFrom('login_methods').where('uid', '=', uid).execute();
  const methods = methodRowsFrom(uid, input.methods);
  if (methods.length > 0) await trx.insertInto('login_methods').values(methods).execute();
  await removeFactors(trx, uid);
  if (input.mfa !== null) {
    await trx
      .insertInto('mfa_factors')
      .values(factorRowFrom(uid, input.mfa, now, secretBox))
      .execute();
  }
}

async function removeEverything(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('users').execute();
    await trx.deleteFrom('sign_in_attempts').execute();
    await trx.deleteFrom('text_message_counts').execute();
  });
}
