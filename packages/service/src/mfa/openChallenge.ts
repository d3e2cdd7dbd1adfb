import type { Kysely } from 'kysely';
import type { SignInMethod } from '@vestibule/contract/schema';
import { findByUid, type AccountRecord, type ActiveFactor } from '../accounts/accounts.ts';
import { mfaTypes } from '../core/database/twoStepMethod.ts';
import type { Tables, VerificationTokenRow } from '../core/database/tables.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import { challengeOver } from '../core/errors.ts';
import { hashOfToken } from '../platform/security/opaqueTokens.ts';
import type { ServiceContext, TransactionContext } from '../core/context.ts';

/** An open challenge with its account and factor. */
export interface OpenChallenge {
  readonly row: VerificationTokenRow & { readonly method: SignInMethod };
  readonly account: AccountRecord;
  readonly factor: ActiveFactor;
}

/** How a request refers to its challenge. */
export interface ChallengeReference {
  readonly username: string;
  readonly method: SignInMethod;
  readonly authVerificationToken: string;
}

/**
 * Finds the challenge of a request.
 *
 * @throws ServiceError 401 `invalid_verification` if it is unknown, used, expired, of another user or method, or its
 * factor was removed.
 */
export async function findChallenge(
  { db, settings }: ServiceContext,
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
  const factor = account?.factors.find((one) => mfaTypes[one.method] === row?.mfa_type);
  if (row === undefined || account === null || factor === undefined) throw challengeOver();
  const isTheirs = account.user.username_key === usernameKey(username);
  // An administrator may have removed the method, or disabled the account.
  const isOffered = account.methods.some((one) => one.method === method) && account.user.disabled_at === null;
  if (!isTheirs || !isOffered) throw challengeOver();
  return { row: { ...row, method }, account, factor };
}

/** Consumes a challenge. @returns `false` if it was used, or given a new code, in the meantime. */
export async function useChallenge(context: TransactionContext, row: VerificationTokenRow): Promise<boolean> {
  const { db, slots } = context;
  const { numDeletedRows } = await db
    .deleteFrom('verification_tokens')
    .where('token_hash', '=', row.token_hash)
    .where('code_hash', 'is not distinct from', row.code_hash)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await slots.challengePassed(context, row.token_hash);
  return true;
}

/** Ends the user's open challenges and the proofs that wait for a sent code: the password or the factors have changed. */
export async function closeChallenges(db: Kysely<Tables>, uid: string): Promise<void> {
  await db
    .deleteFrom('verification_tokens')
    .where('uid', '=', uid)
    .where((eb) => eb.or([eb('purpose', '=', 'challenge'), eb('code_hash', 'is not', null)]))
    .execute();
}
