import type { SignInMethod } from '@vestibule/contract/schema';
import type { Kysely, QueryResult } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { compiledOnce } from '../platform/database/compiledOnce.ts';
import {
  userColumns,
  type LoginMethodRow,
  type MfaFactorRow,
  type Tables,
  type UserRow,
} from '../core/database/tables.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import { methodOf, type TwoStepMethod } from '../core/database/twoStepMethod.ts';

type FactorRow = Omit<MfaFactorRow, 'activated_at'>;

/** A factor whose first code was verified. */
export type ActiveFactor = Omit<FactorRow, 'type'> & { readonly method: TwoStepMethod };

/** A user with the data that sign-in needs. */
export interface AccountRecord {
  readonly user: UserRow;
  readonly methods: readonly LoginMethodRow[];
  readonly factors: readonly ActiveFactor[];
}

/** @returns `null` for an unknown username. */
export async function findByUsername(db: Kysely<Tables>, username: string): Promise<AccountRecord | null> {
  return recordFrom(await byUsername(db, usernameKey(username)));
}

/** @returns `null` for an unknown uid (the account was removed). */
export async function findByUid(db: Kysely<Tables>, uid: string): Promise<AccountRecord | null> {
  return recordFrom(await byUid(db, uid));
}

const byUsername = compiledOnce((db: Kysely<Tables>, key: string) =>
  accountsIn(db).where('username_key', '=', key).compile(),
);
const byUid = compiledOnce((db: Kysely<Tables>, uid: string) =>
  accountsIn(db).where('uid', '=', uid).compile(),
);

type AccountRow = UserRow & Pick<AccountRecord, 'methods'> & { readonly factors: readonly FactorRow[] };

function recordFrom({ rows: [row] }: QueryResult<AccountRow>): AccountRecord | null {
  if (row === undefined) return null;
  const { methods, factors, ...user } = row;
  return {
    user,
    methods,
    factors: factors.map(({ type, ...factor }) => ({ ...factor, method: methodOf(type) })),
  };
}

/** Selects accounts with their methods and active factors, in one statement. */
function accountsIn(db: Kysely<Tables>) {
  return db
    .selectFrom('users')
    .select(userColumns)
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('login_methods')
          .select(['login_methods.uid', 'position', 'method', 'tenant_id', 'client_id'])
          .whereRef('login_methods.uid', '=', 'users.uid')
          .orderBy('position'),
      ).as('methods'),
      // `activated_at` is left out, because JSON would turn the time into a string.
      jsonArrayFrom(
        eb
          .selectFrom('mfa_factors')
          .select([
            'mfa_factors.uid',
            'type',
            'phone',
            'country_code',
            'authy_id',
            'totp_secret',
            'last_used_step',
          ])
          .whereRef('mfa_factors.uid', '=', 'users.uid')
          .where('activated_at', 'is not', null),
      ).as('factors'),
    ]);
}

/** Completes the account of a user whose row was read. */
export async function recordOf(db: Kysely<Tables>, user: UserRow): Promise<AccountRecord> {
  const present = await findByUid(db, user.uid);
  return { user, methods: present?.methods ?? [], factors: present?.factors ?? [] };
}

/** Whether the user may sign in with a password (method 'basic'). */
export function offersBasic({ methods }: Pick<AccountRecord, 'methods'>): boolean {
  return methods.some(({ method }) => method === 'basic');
}

/**
 * How a user who has signed in by neither a password nor a provider verifies the identity in the session; determines `method` of
 * the token's claims.
 */
export function verificationMethodOf(account: AccountRecord): SignInMethod {
  return offersBasic(account) ? 'basic' : (account.methods[0]?.method ?? 'basic');
}
