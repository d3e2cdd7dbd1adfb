import type { Kysely } from 'kysely';
import type { LoginMethodRow, MfaFactorRow, Tables, UserRow } from '../database/tables';
import { usernameKey } from '../database/usernameKey';

/** A user with what sign-in needs to know. */
export interface AccountRecord {
  readonly user: UserRow;
  readonly methods: readonly LoginMethodRow[];
  /** Active factors only. */
  readonly factors: readonly MfaFactorRow[];
}

/** @returns `null` for an unknown username. */
export async function findByUsername(db: Kysely<Tables>, username: string): Promise<AccountRecord | null> {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('username_key', '=', usernameKey(username))
    .executeTakeFirst();
  return user === undefined ? null : recordOf(db, user);
}

/** @returns `null` for an unknown uid (the account was removed). */
export async function findByUid(db: Kysely<Tables>, uid: string): Promise<AccountRecord | null> {
  const user = await db.selectFrom('users').selectAll().where('uid', '=', uid).executeTakeFirst();
  return user === undefined ? null : recordOf(db, user);
}

/** The rest of an account of which the user's row was read. */
export async function recordOf(db: Kysely<Tables>, user: UserRow): Promise<AccountRecord> {
  const methods = await db
    .selectFrom('login_methods')
    .selectAll()
    .where('uid', '=', user.uid)
    .orderBy('position')
    .execute();
  const factors = await db
    .selectFrom('mfa_factors')
    .selectAll()
    .where('uid', '=', user.uid)
    .where('activated_at', 'is not', null)
    .execute();
  return { user, methods, factors };
}

/** Whether the user may sign in with a password (method 'basic'). */
export function offersBasic({ methods }: Pick<AccountRecord, 'methods'>): boolean {
  return methods.some(({ method }) => method === 'basic');
}
