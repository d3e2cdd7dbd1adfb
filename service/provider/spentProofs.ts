import { createHash } from 'node:crypto';
import type { ServiceContext } from '../serviceContext';

/** Longer than any code or ID token lives; after that the provider itself refuses them. */
const rememberedMilliseconds = 24 * 3600 * 1000;

/**
 * Uses something up that counts once: an authorisation code, a nonce.
 *
 * @returns `false` when it was used before, by any instance of the service.
 */
export async function spend(
  { db, settings }: Pick<ServiceContext, 'db' | 'settings'>,
  kind: 'code' | 'nonce',
  provider: string,
  value: string,
): Promise<boolean> {
  const fingerprint = createHash('sha256').update(`${kind}:${provider}:${value}`, 'utf8').digest('hex');
  const spent = await db
    .insertInto('spent_proofs')
    .values({ fingerprint, expires_at: new Date(settings.now() + rememberedMilliseconds) })
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .returning('fingerprint')
    .executeTakeFirst();
  return spent !== undefined;
}
