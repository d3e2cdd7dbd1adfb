import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Transaction } from 'kysely';
import type { LoginMethodRow, ProviderIdentityRow, Tables } from '../core/database/tables.ts';
import { closeChallenges } from '../mfa/openChallenge.ts';
import { revokeTrustedDevices } from '../mfa/trustedDevices.ts';
import { loginOf } from '../core/provider/login.ts';
import { endSessionsOf } from '../session/endSessions.ts';
import type { Account, ProviderIdentity } from '../core/directory.ts';

type Method = ProviderIdentityRow['method'];

const providers: readonly Method[] = ['google', 'microsoft'];

/** The provider identities of an account, for administrators. */
export async function identitiesOf(db: Kysely<Tables>, uid: string): Promise<Account['identities']> {
  const rows = await db.selectFrom('provider_identities').selectAll().where('uid', '=', uid).execute();
  return Object.fromEntries(rows.map(({ method, issuer, subject }) => [method, { issuer, subject }]));
}

/**
 * Binds an account to the given identity, or removes the binding, so that the next sign-in binds. Sessions,
 * challenges and trusted devices of the former identity end.
 *
 * @param trx locks the user's row.
 */
export async function assignIdentity(
  trx: Transaction<Tables>,
  uid: string,
  method: Method,
  identity: ProviderIdentity | null,
  now: Date,
): Promise<void> {
  await endBindings(trx, uid, [method]);
  await endSessionsOf(trx, uid, 'administrator', now);
  await closeChallenges(trx, uid);
  await revokeTrustedDevices(trx, uid);
  if (identity === null) return;
  const { issuer, subject } = identity;
  await trx
    .insertInto('provider_identities')
    .values({ uid, method, issuer, subject, is_assigned: true, bound_at: now })
    .execute();
}

/** Removes the bindings of providers that the account no longer offers, or offers in another tenant. */
export async function endBindingsNotIn(
  trx: Transaction<Tables>,
  uid: string,
  former: readonly LoginMethodRow[],
  present: readonly LoginMethodRow[],
): Promise<void> {
  await endBindings(
    trx,
    uid,
    providers.filter((method) => !isDeepStrictEqual(loginOf(former, method), loginOf(present, method))),
  );
}

/** Removes bindings. The version invalidates setup tokens and sign-ins in progress. */
export async function endBindings(
  trx: Transaction<Tables>,
  uid: string,
  methods: readonly Method[] = providers,
): Promise<void> {
  if (methods.length === 0) return;
  const { numDeletedRows } = await trx
    .deleteFrom('provider_identities')
    .where('uid', '=', uid)
    .where('method', 'in', methods)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return;
  await trx
    .updateTable('users')
    .set((eb) => ({ identities_version: eb('identities_version', '+', 1) }))
    .where('uid', '=', uid)
    .execute();
}
