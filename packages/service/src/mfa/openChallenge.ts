import type { Kysely } from 'kysely';
import type { SignInMethod } from '@vestibule/contract/schema';
import { findByUid, type AccountRecord } from '../accounts/accounts.ts';
import type { ActiveFactor, Tables, VerificationTokenRow } from '../database/tables.ts';
import { usernameKey } from '../database/usernameKey.ts';
import { challengeOver } from '../errors.ts';
import { hashOfToken } from '../security/opaqueTokens.ts';
import type { ServiceContext } from '../serviceContext.ts';

/** An open challenge with its account and the factor that it asks for. */
export interface OpenChallenge {
  readonly row: VerificationTokenRow;
  readonly account: AccountRecord;
  readonly factor: ActiveFactor;
}

/** What a request says of the challenge that it is about. */
export interface ChallengeReference {
  readonly username: string;
  readonly method: SignInMethod;
  readonly authVerificationToken: string;
}

/**
 * The challenge that a request is about.
 *
 * @throws ServiceError 401 `invalid_verification` when it is unknown, used, expired, of another user or method, or
 * asks for a factor that is no longer there.
 */
export async function findChallenge(
  { db, settings }: Pick<ServiceContext, 'db' | 'settings'>,
  { username, method, authVerificationToken }: ChallengeReference,
): Promise<OpenChallenge> {
  const row = await db
    .selectFrom('verification_tokens')
    .selectAll()
    .where('token_hash', '=', hashOfToken(authVerificationToken))
    .where('purpose', '=', 'challenge')
    .where('method', '=', method)
    .where('expires_at', '>', new Date(settings.now()))
    .executeTakeFirst();
  const account = row === undefined ? null : await findByUid(db, row.uid);
  const factor = account?.factors.find((one) => one.type === row?.mfa_type);
  if (row === undefined || account === null || factor === undefined) throw challengeOver();
  const isTheirs = account.user.username_key === usernameKey(username);
  // An administrator may have taken the method away since, or shut the account.
  const isOffered = account.methods.some((one) => one.method === method) && account.user.disabled_at === null;
  if (!isTheirs || !isOffered) throw challengeOver();
  return { row, account, factor };
}

/** Uses a challenge up. @returns `false` when it was used, or given a new code, in the meantime. */
export async function useChallenge(db: Kysely<Tables>, row: VerificationTokenRow): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('verification_tokens')
    .where('token_hash', '=', row.token_hash)
    .where('code_hash', 'is not distinct from', row.code_hash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Ends the user's open challenges: what they were asked for, or the password behind them, has changed. */
export async function closeChallenges(db: Kysely<Tables>, uid: string): Promise<void> {
  await db
    .deleteFrom('verification_tokens')
    .where('uid', '=', uid)
    .where('purpose', '=', 'challenge')
    .execute();
}
