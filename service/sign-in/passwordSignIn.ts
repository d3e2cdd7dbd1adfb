import type { PasswordTokenRequest, TokenAnswer } from '@contract/schema.gen';
import { findByUid } from '../accounts/accounts';
import { usernameKey } from '../database/usernameKey';
import { credentialsRefused } from '../errors';
import { provePassword, type PasswordProof } from '../identity/provePassword';
import { trustedDeviceOf } from '../mfa/trustedDevices';
import type { CallContext, ServiceContext } from '../serviceContext';
import { answerVerifiedSignIn } from './verifiedSignIn';

/**
 * `POST /auth/v1/token` with a password.
 *
 * @throws ServiceError 401 when they do not match, 429 while the network, or the trusted device, is locked out of the username.
 */
export async function signInWithPassword(
  context: CallContext,
  request: PasswordTokenRequest,
): Promise<TokenAnswer> {
  // The query waits as well: of a flood of calls, those that are dropped cost the database nothing either.
  const credential = await context.passwords.inTurn(async (passwords) => {
    const found = await findCredential(context, request.username);
    const uid = found?.uid ?? null;
    const deviceId = await trustedDeviceOf(context, uid, request.trustedJWT);
    const proof: PasswordProof = {
      username: request.username,
      uid,
      storedHash: found?.password_hash ?? null,
      entered: request.password,
      guesser: deviceId === null ? ['network', context.network] : ['device', deviceId],
    };
    await provePassword({ ...context, passwords }, proof, credentialsRefused);
    return found;
  });

  const account = credential === undefined ? null : await findByUid(context.db, credential.uid);
  // Another password may have been saved while this one was checked.
  if (credential === undefined || account?.user.password_hash !== credential.password_hash) {
    throw credentialsRefused();
  }
  return answerVerifiedSignIn(context, account, 'basic', request.trustedJWT);
}

/** One query also for an unknown username, so that its time does not tell which usernames exist. */
function findCredential(
  { db }: ServiceContext,
  username: string,
): Promise<{ uid: string; password_hash: string | null } | undefined> {
  return db
    .selectFrom('users')
    .innerJoin('login_methods', 'login_methods.uid', 'users.uid')
    .select(['users.uid', 'users.password_hash'])
    .where('users.username_key', '=', usernameKey(username))
    .where('login_methods.method', '=', 'basic')
    .executeTakeFirst();
}
