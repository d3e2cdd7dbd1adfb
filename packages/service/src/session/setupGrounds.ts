import { hash } from 'node:crypto';
import type { UserRow } from '../core/database/tables.ts';
import type { SetupGrounds } from '../core/keys/signedTokens.ts';

type Credentials = Pick<UserRow, 'password_hash' | 'email' | 'identities_version'>;

/** The state of the user that a new setup token is issued for. */
export function setupGroundsOf(user: Credentials & Pick<UserRow, 'factors_version'>): SetupGrounds {
  return { credentials: markOf(user), factorsVersion: user.factors_version };
}

/** Whether the user's password, e-mail and identity bindings are unchanged since a setup token was issued. */
export function matchesCredentials(
  { credentials }: Pick<SetupGrounds, 'credentials'>,
  user: Credentials,
): boolean {
  return markOf(user) === credentials;
}

/**
 * A digest that includes the stored hash. Its salt, which is only in the database, prevents guessing the password
 * from the token.
 */
function markOf({ password_hash, email, identities_version }: Credentials): string {
  const text = JSON.stringify([password_hash, email, identities_version]);
  return hash('sha256', text, 'base64url');
}
