import type { Transaction } from 'kysely';
import type { SignInMethod } from '@vestibule/contract/schema';
import { withUserLocked } from '../accounts/lockUser.ts';
import type { Tables, UserRow } from '../core/database/tables.ts';
import { credentialsRefused, noAccess } from '../core/errors.ts';
import type { ServiceContext } from '../core/context.ts';

/**
 * Runs the work that a proof permits (a session, a challenge, trust) under the user's lock, if password, e-mail and
 * identity bindings have not changed since the proof. Such a change has ended all sessions and challenges, and must
 * also prevent one that is about to start.
 *
 * @param proven the user as read before the proof, or with it.
 * @param work gets the present user; other columns may have changed.
 * @throws ServiceError 401 after a change, or if the account was removed; the work was not run.
 */
export async function withCurrentCredentials<Result>(
  { db }: ServiceContext,
  proven: UserRow,
  method: SignInMethod,
  work: (trx: Transaction<Tables>, present: UserRow) => Promise<Result>,
): Promise<Result> {
  const refusal = method === 'basic' ? credentialsRefused : noAccess;
  const done = await withUserLocked(db, proven.uid, async (trx, present) => {
    if (!isStillProven(proven, present)) throw refusal();
    return { result: await work(trx, present) };
  });
  if (done === null) throw refusal();
  return done.result;
}

function isStillProven(proven: UserRow, present: UserRow): boolean {
  return (
    present.password_hash === proven.password_hash &&
    present.email === proven.email &&
    present.identities_version === proven.identities_version
  );
}
