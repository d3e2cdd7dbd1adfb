import { createHash } from 'node:crypto';
import type { UserRow } from '../database/tables.ts';
import type { SetupGrounds } from '../security/signedTokens.ts';

type Credentials = Pick<UserRow, 'password_hash' | 'email' | 'identities_version'>;

/** What a set-up token that is given to the user now is good for. */
export function setupGroundsOf(user: Credentials & Pick<UserRow, 'factors_version'>): SetupGrounds {
  return { credentials: markOf(user), factorsVersion: user.factors_version };
}

/** Whether the user's password, e-mail and identities are still those that a set-up token stands for. */
export function standsFor({ credentials }: Pick<SetupGrounds, 'credentials'>, user: Credentials): boolean {
  return markOf(user) === credentials;
}

/** A digest of the stored hash: its salt, which is kept in the database only, keeps the password from being guessed by it. */
function markOf({ password_hash, email, identities_version }: Credentials): string {
  const text = JSON.stringify([password_hash, email, identities_version]);
  return createHash('sha256').update(text, 'utf8').digest('base64url');
}
