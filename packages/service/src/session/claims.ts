import type { SignInMethod } from '@vestibule/contract/schema';
import type { UserRow } from '../core/database/tables.ts';
import type { AccountClaims } from '../core/keys/signedTokens.ts';

/**
 * The claims that sibling applications read (docs/behaviour.md#token-claims). `method` is 'other' for every provider.
 */
export function claimsOf(
  user: Pick<UserRow, 'personas' | 'uid' | 'username' | 'email' | 'first_name'>,
  method: SignInMethod,
): AccountClaims {
  return {
    personas: user.personas,
    uid: user.uid,
    username: user.username,
    email: user.email,
    firstName: user.first_name,
    method: method === 'basic' ? 'basic' : 'other',
  };
}
