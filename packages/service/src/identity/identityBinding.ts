import type { Transaction } from 'kysely';
import type { Tables, UserRow } from '../database/tables.ts';
import { usernameKey } from '../database/usernameKey.ts';
import type { ProviderLogin } from '../provider/login.ts';
import { isSameAddress, isSameMailbox, type VerifiedProviderIdentity } from './verifiedProviderIdentity.ts';

/**
 * Compares an identity with the one that the account is bound to, and binds the account to it at its first sign-in. An
 * e-mail address may be given to another person (OpenID Connect Core §5.7); an issuer's subject never is.
 *
 * While another provider of the account is bound, its address alone proves nothing any more: a further one is bound only
 * for a user who is signed in.
 *
 * By itself an identity is bound to one account only. Where the account's address has a plus-suffix that the identity's
 * lacks, it is not bound to an account while another one has exactly the identity's address.
 *
 * @param trx holds the user's row: of several first sign-ins at once, one binds and the others are compared with it.
 * @returns why the identity does not open the account, for the log; `null` when it does.
 */
export async function compareOrBind(
  trx: Transaction<Tables>,
  user: UserRow,
  method: ProviderLogin['method'],
  { issuer, subject, email }: VerifiedProviderIdentity,
  { isSignedIn, now }: { readonly isSignedIn: boolean; readonly now: Date },
): Promise<string | null> {
  if (!isSameMailbox(user.email, email)) return 'another person';
  const bound = await trx
    .selectFrom('provider_identities')
    .select(['method', 'issuer', 'subject'])
    .where('uid', '=', user.uid)
    .execute();
  const own = bound.find((binding) => binding.method === method);
  if (own !== undefined) {
    return own.issuer === issuer && own.subject === subject ? null : 'another identity';
  }
  if (bound.length > 0 && !isSignedIn) return 'the account is bound to an identity of another provider';
  if (!isSameAddress(user.email, email) && (await hasAccountOfItsOwn(trx, email))) {
    return 'the address belongs to another account';
  }
  if (await isBoundElsewhere(trx, { issuer, subject })) return 'the identity belongs to another account';
  const binding = await trx
    .insertInto('provider_identities')
    .values({ uid: user.uid, method, issuer, subject, is_assigned: false, bound_at: now })
    // Bound to another account at this very moment.
    .onConflict((conflict) => conflict.doNothing())
    .returning('uid')
    .executeTakeFirst();
  return binding === undefined ? 'the identity belongs to another account' : null;
}

async function hasAccountOfItsOwn(trx: Transaction<Tables>, email: string): Promise<boolean> {
  const account = await trx
    .selectFrom('users')
    .select('uid')
    .where('email_key', '=', usernameKey(email))
    .executeTakeFirst();
  return account !== undefined;
}

async function isBoundElsewhere(
  trx: Transaction<Tables>,
  { issuer, subject }: Pick<VerifiedProviderIdentity, 'issuer' | 'subject'>,
): Promise<boolean> {
  const binding = await trx
    .selectFrom('provider_identities')
    .select('uid')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return binding !== undefined;
}
