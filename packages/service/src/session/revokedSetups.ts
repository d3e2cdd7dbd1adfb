import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { hashOfToken } from '../security/opaqueTokens.ts';
import type { SetupBearer } from '../security/signedTokens.ts';
import type { ServiceContext } from '../serviceContext.ts';

const fingerprintOf = ({ tokenId }: Pick<SetupBearer, 'tokenId'>): string => hashOfToken(`setup:${tokenId}`);

/**
 * Revokes a setup token. It has no session to end, so its id is stored until it would have expired.
 *
 * @returns `false` if it was revoked before.
 */
export async function revokeSetup(
  { db, settings }: Pick<ServiceContext, 'db' | 'settings'>,
  bearer: Pick<SetupBearer, 'tokenId'>,
): Promise<boolean> {
  const revoked = await db
    .insertInto('spent_proofs')
    .values({
      fingerprint: fingerprintOf(bearer),
      expires_at: new Date(settings.now() + settings.setupTokenSeconds * 1000),
    })
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .returning('fingerprint')
    .executeTakeFirst();
  return revoked !== undefined;
}

export async function isSetupRevoked(
  db: Kysely<Tables>,
  bearer: Pick<SetupBearer, 'tokenId'>,
): Promise<boolean> {
  const revoked = await db
    .selectFrom('spent_proofs')
    .select('fingerprint')
    .where('fingerprint', '=', fingerprintOf(bearer))
    .executeTakeFirst();
  return revoked !== undefined;
}
