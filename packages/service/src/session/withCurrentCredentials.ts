import type { Transaction } from 'kysely';
import type { SignInMethod } from '@vestibule/contract/schema';
import { withUserLocked } from '../accounts/lockUser.ts';
import type { Tables, UserRow } from '../database/tables.ts';
import { credentialsRefused, noAccess } from '../errors.ts';
import type { ServiceContext } from '../serviceContext.ts';

/**
 * Does the work to which a proof entitles (a session, a challenge, trust) under the user's lock. A password,
 * or an e-mail or identity (by which a provider proves who it is), that was changed since the proof has ended every session
 * and challenge; one that is only about to open must not slip past it.
 *
 * @param proven the user as read before the proof, or with it.
 * @param work is also given the user as it is now: everything but the password, the e-mail and the identity may have changed.
 * @throws ServiceError 401 when one of them is another by now, or the account was removed; nothing was done then.
 */
export async function withCurrentCredentials<Result>(
  { db }: Pick<ServiceContext, 'db'>,
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
