import type { Kysely } from 'kysely';
import type { LoginMethod, LoginMethods } from '@vestibule/contract/schema';
import { compiledOnce } from '../platform/database/compiledOnce.ts';
import type { LoginMethodRow, Tables } from '../core/database/tables.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import type { ServiceContext } from '../core/context.ts';

/**
 * `GET /auth/v1/method/{username}`. The same query for known and unknown usernames, so that the response time does
 * not reveal which exist.
 */
export async function loginMethods({ db }: ServiceContext, username: string): Promise<LoginMethods> {
  const { rows } = await methodsOf(db, usernameKey(username));
  return rows.map(methodFrom);
}

const methodsOf = compiledOnce((db: Kysely<Tables>, key: string) =>
  db
    .selectFrom('login_methods')
    .innerJoin('users', 'users.uid', 'login_methods.uid')
    .select(['method', 'tenant_id', 'client_id'])
    .where('users.username_key', '=', key)
    .orderBy('login_methods.position')
    .compile(),
);

function methodFrom(row: Pick<LoginMethodRow, 'method' | 'tenant_id' | 'client_id'>): LoginMethod {
  return row.tenant_id === null || row.client_id === null
    ? { method: row.method }
    : { method: row.method, configuration: { tenantId: row.tenant_id, clientId: row.client_id } };
}
