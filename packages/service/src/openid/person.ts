import type { Kysely } from 'kysely';
import type { AccountClaims } from 'oidc-provider';
import type { Tables } from '../core/database/tables.ts';
import { compiledOnce } from '../platform/database/compiledOnce.ts';
import type { OpenIdContext } from './context.ts';

/** The claims of each scope. */
export const claimsOfScopes = {
  openid: ['sub', 'sid', 'auth_time', 'acr', 'amr'],
  profile: ['name', 'given_name', 'preferred_username', 'locale'],
  email: ['email', 'email_verified'],
  applications: ['applications'],
} as const;

/** A user as oidc-provider asks for one. */
interface Person {
  readonly accountId: string;
  /** The persona groups. */
  readonly personas: readonly string[];
  readonly claims: () => Promise<AccountClaims>;
  readonly [name: string]: unknown;
}

/** The user of an enabled account; `undefined` without one. */
export async function findPerson({ db, settings }: OpenIdContext, uid: string): Promise<Person | undefined> {
  const [user] = (await userOf(db, uid)).rows;
  if (user === undefined) return undefined;
  const personas = Object.keys(user.personas);
  const claims = {
    sub: uid,
    name: [user.first_name, user.last_name].filter((part) => part !== '').join(' '),
    given_name: user.first_name,
    preferred_username: user.username,
    locale: user.language ?? settings.languages[0] ?? 'en',
    email: user.email,
    // Only administrators write addresses, and links of the service are mailed to them.
    email_verified: true,
    applications: personas,
  };
  return { accountId: uid, personas, claims: () => Promise.resolve(claims) };
}

const userOf = compiledOnce((db: Kysely<Tables>, uid: string) =>
  db
    .selectFrom('users')
    .select(['username', 'email', 'first_name', 'last_name', 'personas', 'language'])
    .where('uid', '=', uid)
    .where('disabled_at', 'is', null)
    .compile(),
);
