import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from './database/tables.ts';

/**
 * Consumes a value that is valid once: a code, a nonce, a challenge, a setup token.
 *
 * @param kind a prefix that keeps values of different kinds apart.
 * @param until when the value has expired, so that it need not be remembered.
 * @returns `false` if it was used before, by any process of the service.
 */
export async function spend(db: Kysely<Tables>, kind: string, value: string, until: Date): Promise<boolean> {
  const spent = await db
    .insertInto('spent_proofs')
    .values({ fingerprint: fingerprintOf(kind, value), expires_at: until })
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .returning('fingerprint')
    .executeTakeFirst();
  return spent !== undefined;
}

/** Whether `spend` has consumed a value. */
export async function isSpent(db: Kysely<Tables>, kind: string, value: string): Promise<boolean> {
  const spent = await db
    .selectFrom('spent_proofs')
    .select('fingerprint')
    .where('fingerprint', '=', fingerprintOf(kind, value))
    .executeTakeFirst();
  return spent !== undefined;
}

function fingerprintOf(kind: string, value: string): string {
  return hash('sha256', `${kind}:${value}`);
}
