import { sql } from 'kysely';
import type { PasswordTokenRequest, TokenResponse } from '@vestibule/contract/schema';
import { findByUid } from '../accounts/accounts.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import { credentialsRefused } from '../core/errors.ts';
import { provePassword, type PasswordProof } from '../identity/provePassword.ts';
import { digestOf, passwordKey } from '../core/limits/attemptKeys.ts';
import { refuseUntilReset } from '../links/resetMail.ts';
import { trustedDeviceOf } from '../mfa/trustedDevices.ts';
import type { CallContext, ServiceContext } from '../core/context.ts';
import { signInEvents } from './events.ts';
import { completeSignIn } from './verifiedSignIn.ts';

/**
 * `POST /auth/v1/token` with a password.
 *
 * @throws ServiceError 401 if username and password do not match, or the account is disabled; 429 while the network,
 * or the trusted device, is locked for the username.
 */
export async function signInWithPassword(
  context: CallContext,
  request: PasswordTokenRequest,
): Promise<TokenResponse> {
  const { passwords: queue } =
    context.knownCallerQueue.isNeeded() && (await isKnownCaller(context, request))
      ? context.knownCallerQueue
      : context;
  // The query is queued too, so that dropped calls of a flood cost the database nothing.
  const credential = await queue.inTurn(async (passwords) => {
    const found = await findCredential(context, request.username);
    const { uid } = found;
    const deviceId = await trustedDeviceOf(context, uid, request.trustedJWT);
    const storedHash = found.password_hash;
    const proof: PasswordProof = {
      username: request.username,
      uid,
      storedHash,
      isDisabled: found.is_disabled ?? false,
      standIn: found.stand_in,
      entered: request.password,
      attemptSource: deviceId === null ? ['network', context.network] : ['device', deviceId],
    };
    const { isOutdated } = await provePassword({ ...context, passwords }, proof, credentialsRefused);
    if (uid === null || storedHash === null) throw credentialsRefused();
    const hash = isOutdated
      ? await replaceHash({ ...context, passwords }, { uid, storedHash }, request.password)
      : storedHash;
    return { uid, hash };
  });

  const account = await findByUid(context.db, credential.uid);
  // The password may have been changed while it was checked.
  if (account?.user.password_hash !== credential.hash) throw credentialsRefused();
  await context.slots.afterPasswordProof(context, account.user, request.password);
  if (account.user.must_change_password) return refuseUntilReset(context, account.user);
  return completeSignIn(context, account, 'basic', request.trustedJWT);
}

/**
 * Whether the caller is known to the account: by the network of a sign-in of the last 30 days, or by a trusted
 * device. The same query for every username.
 */
async function isKnownCaller(
  { db, network, settings, tokens }: CallContext,
  { username, trustedJWT }: PasswordTokenRequest,
): Promise<boolean> {
  const trust = trustedJWT === undefined ? null : await tokens.readTrust(trustedJWT);
  const now = new Date(settings.now());
  const key = passwordKey(username, null, ['network', network]);
  const { rows } = await sql`
    select 1 from sign_in_attempts where subject = ${key.sourceDigest} and known_until > ${now}
    union all
    select 1 from trusted_devices device join users on users.uid = device.uid
    where device.id = ${trust?.deviceId ?? null} and device.expires_at > ${now} and users.username_key = ${usernameKey(username)}
    limit 1`.execute(db);
  return rows.length > 0;
}

interface Credential {
  readonly uid: string | null;
  readonly password_hash: string | null;
  readonly is_disabled: boolean | null;
  /** The hash of some account. */
  readonly stand_in: string | null;
}

/**
 * The same query for every username, so that its time does not reveal which usernames exist. With imported hashes,
 * the cost of a wrong password differs between accounts, so an unknown username costs the same as some account:
 * always the one whose uid follows the digest of the username.
 */
async function findCredential({ db }: ServiceContext, username: string): Promise<Credential> {
  const key = usernameKey(username);
  const { rows } = await sql<Credential>`
    select account.uid, account.password_hash, account.is_disabled, coalesce(
      (select password_hash from users where uid >= ${digestOf(`stand-in:${key}`)} order by uid limit 1),
      (select password_hash from users order by uid limit 1)) as stand_in
    from (select 1) as always left join (
      select users.uid, users.password_hash, users.disabled_at is not null as is_disabled from users join login_methods on login_methods.uid = users.uid
      where users.username_key = ${key} and login_methods.method = 'basic') as account on true`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('A query without a condition has no row.');
  return found;
}

/**
 * Replaces an outdated hash (`PasswordMatch`), now that the password is known.
 *
 * @returns the stored hash.
 * @throws ServiceError 401 if another password was saved in the meantime.
 */
async function replaceHash(
  { db, audit, passwords }: ServiceContext,
  { uid, storedHash }: { readonly uid: string; readonly storedHash: string },
  entered: string,
): Promise<string> {
  const hash = await passwords.hash(entered);
  const isReplaced = await inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('users')
      .set({ password_hash: hash })
      .where('uid', '=', uid)
      .where('password_hash', '=', storedHash)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await audit.record(trx, { event: signInEvents['password-rehashed'], outcome: 'success', uid });
    return true;
  });
  if (isReplaced) return hash;
  // Either a concurrent sign-in has replaced the hash, or the password was changed.
  const present = (await findByUid(db, uid))?.user.password_hash ?? null;
  if (present === null || (await passwords.matches(present, entered)) === null) throw credentialsRefused();
  return present;
}
