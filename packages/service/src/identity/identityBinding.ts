import type { Transaction } from 'kysely';
import type { Tables, UserRow } from '../core/database/tables.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import type { ProviderLogin } from '../core/provider/login.ts';
import { isSameAddress, isSameMailbox, type VerifiedProviderIdentity } from './verifiedProviderIdentity.ts';

/**
 * Compares an identity with the one that the account is bound to; the first sign-in binds the account. An e-mail
 * address may be reassigned to another person (OpenID Connect Core §5.7), an issuer's subject never is.
 *
 * While the account is bound at another provider, only a signed-in user can bind a further one.
 *
 * An identity is bound to one account only, unless an administrator binds it. An identity whose address matches only
 * without the account's plus-suffix is not bound if another account has exactly that address.
 *
 * @param trx locks the user's row, so that one of several concurrent first sign-ins binds.
 * @returns why the identity does not open the account, for the log; `null` if it does.
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
    // A concurrent transaction has bound it to another account.
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
