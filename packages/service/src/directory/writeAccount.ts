import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { accountEvents } from '../accounts/events.ts';
import { findByUsername } from '../accounts/accounts.ts';
import { emailColumns } from '../core/database/emailKeys.ts';
import type { LoginMethodRow, MfaFactorRow, Tables } from '../core/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import { closeLinks } from '../links/links.ts';
import { removeFactors } from '../mfa/factors.ts';
import type { ServiceContext, TransactionContext } from '../core/context.ts';
import { endSessionsOf } from '../session/endSessions.ts';
import type { AccountInput } from '../core/directory.ts';
import { factorRowFrom, methodRowsFrom } from './accountRows.ts';
import { endBindings, endBindingsNotIn } from './identities.ts';

/**
 * Creates or replaces an account. Trusted devices, challenges, enrolments and links end; with another password or
 * e-mail also sessions; with another e-mail or provider the binding to a provider's identity. Otherwise sessions and
 * bindings are kept, so that changed personas take effect with the next refresh.
 *
 * @throws Error if the username belongs to an account with another uid.
 */
export async function writeAccount(context: ServiceContext, input: AccountInput): Promise<void> {
  const { db, settings, secretBox, audit } = context;
  // The hash is made before the transaction, because it is slow and the embedded database has one connection.
  const passwordHash = await hashFor(context, input);
  const now = new Date(settings.now());
  await inTransaction(db, async (trx) => {
    const former = await trx
      .selectFrom('users')
      .select(['email', 'password_hash'])
      .where('username_key', '=', usernameKey(input.username))
      .forNoKeyUpdate()
      .executeTakeFirst();
    const uid = await writeUser(trx, input, passwordHash, now);
    await writeMethods(trx, methodRowsFrom(uid, input.methods), uid);
    if (former?.email !== input.email) {
      await endBindings(trx, uid);
      await context.slots.afterEmailChange({ ...context, db: trx }, uid);
    }
    const formerPhone = await phoneOf(trx, uid);
    await removeFactors(trx, uid);
    if (input.mfa !== null) {
      const isKept = 'phone' in input.mfa && input.mfa.phone === formerPhone?.phone;
      const activatedAt = (isKept ? formerPhone.activated_at : null) ?? now;
      const factor = factorRowFrom(uid, input.mfa, activatedAt, secretBox);
      // The phone of a new account is as trustworthy as the account itself.
      const method = former === undefined ? 'operator' : 'help-desk';
      if (!isKept) await addPhones({ ...context, db: trx }, [factor], method);
      await trx.insertInto('mfa_factors').values(factor).execute();
    }
    await closeLinks({ ...context, db: trx }, uid);
    if (former?.password_hash !== passwordHash || former.email !== input.email) {
      await endSessionsOf(trx, uid, 'administrator', now);
    }
    if (former !== undefined)
      await context.slots.accountWritten({ ...context, db: trx }, { uid, personas: input.personas });
    await audit.record(trx, { event: accountEvents['account-written'], outcome: 'success', uid });
  });
}

function phoneOf(
  trx: Transaction<Tables>,
  uid: string,
): Promise<Pick<MfaFactorRow, 'phone' | 'activated_at'> | undefined> {
  return trx
    .selectFrom('mfa_factors')
    .select(['phone', 'activated_at'])
    .where('uid', '=', uid)
    .where('phone', 'is not', null)
    .executeTakeFirst();
}

/** Tells the capabilities about phones that an operator has added to accounts. */
export async function addPhones(
  context: TransactionContext,
  factors: readonly MfaFactorRow[],
  method: 'operator' | 'help-desk' = 'operator',
): Promise<void> {
  const proof = { method };
  const added = factors.flatMap(({ uid, phone }) => (phone === null ? [] : { uid, element: phone, proof }));
  if (added.length > 0) await context.slots.elementsAdded(context, added);
}

async function writeMethods(
  trx: Transaction<Tables>,
  methods: readonly LoginMethodRow[],
  uid: string,
): Promise<void> {
  const former = await trx.deleteFrom('login_methods').where('uid', '=', uid).returningAll().execute();
  if (methods.length > 0) await trx.insertInto('login_methods').values(methods).execute();
  await endBindingsNotIn(trx, uid, former, methods);
}

/** The stored hash if the password is unchanged: a new hash of it would look like another password. */
async function hashFor(
  { db, passwords }: ServiceContext,
  { username, password }: AccountInput,
): Promise<string | null> {
  if (password === null) return null;
  const stored = (await findByUsername(db, username))?.user.password_hash ?? null;
  const isKept = stored !== null && (await passwords.matches(stored, password)) !== null;
  return isKept ? stored : passwords.hash(password);
}

async function writeUser(
  trx: Transaction<Tables>,
  input: AccountInput,
  passwordHash: string | null,
  now: Date,
): Promise<string> {
  const attributes = {
    username: input.username,
    ...emailColumns(input.email),
    first_name: input.firstName,
    last_name: input.lastName,
    password_hash: passwordHash,
    password_changed_at: input.lastReset,
    personas: JSON.stringify(input.personas),
    must_set_up_mfa: input.mustSetUpMfa,
    must_change_password: false,
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
    throw new Error('The username belongs to an account with another uid.');
  }
  return uid;
}
