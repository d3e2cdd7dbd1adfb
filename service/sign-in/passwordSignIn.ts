import type { PasswordTokenRequest, TokenAnswer } from '@contract/schema.gen';
import { findByUid } from '../directory/accounts';
import { credentialsRefused, lockedOut } from '../errors';
import { attemptSubject, usernameKey } from '../security/usernameKey';
import type { ServiceContext } from '../serviceContext';
import { answerVerifiedSignIn } from './verifiedSignIn';

/**
 * `POST /auth/v1/token` with a password.
 *
 * @throws ServiceError 401 when they do not match, 429 while the username is locked.
 */
export async function signInWithPassword(
  context: ServiceContext,
  request: PasswordTokenRequest,
): Promise<TokenAnswer> {
  const subject = attemptSubject('password', request.username);
  const reservation = await context.attempts.reserve(subject);
  if (!reservation.allowed) throw lockedOut(reservation.retryAfterSeconds);

  const credential = await findCredential(context, request.username);
  const matches = await context.passwords.matches(credential?.password_hash ?? null, request.password);
  if (credential === undefined || !matches) {
    const outcome = await context.attempts.failed(subject, reservation);
    throw outcome.locked ? lockedOut(outcome.retryAfterSeconds) : credentialsRefused();
  }
  await context.attempts.succeeded(subject);

  const account = await findByUid(context.db, credential.uid);
  if (account === null) throw credentialsRefused();
  return answerVerifiedSignIn(context, account, 'basic', request.trustedJWT);
}

/** One query whoever is asked for, so that its time does not tell who exists. */
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
