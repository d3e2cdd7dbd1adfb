import { randomBytes } from 'node:crypto';
import type { ApiInviteResponse } from '@vestibule/contract/schema';
import { inTransaction } from '../platform/database/transaction.ts';
import { linkRefused } from '../core/errors.ts';
import { hashOfToken, newOpaqueToken } from '../platform/security/opaqueTokens.ts';
import type { ServiceContext } from '../core/context.ts';
import { linkEvents } from './events.ts';
import { takeLink } from './links.ts';

/**
 * `GET /user-management/v1/api-users/invite/link/{hash}`: generates the key and the secret, of which only a hash is
 * stored. The link is consumed.
 *
 * @throws ServiceError 404 for a link that is unknown, used, expired, or of another kind.
 */
export async function openApiInvite(context: ServiceContext, hash: string): Promise<ApiInviteResponse> {
  const { db, settings, audit } = context;
  return inTransaction(db, async (trx) => {
    const apiUser = (await takeLink({ ...context, db: trx }, hash, 'secret-key'))?.api_user ?? null;
    if (apiUser === null) throw linkRefused(404);
    const apiKey = `ak_${randomBytes(16).toString('hex')}`;
    const apiSecret = newOpaqueToken();
    await trx
      .insertInto('api_credentials')
      .values({
        api_key: apiKey,
        secret_hash: hashOfToken(apiSecret),
        api_user: apiUser,
        created_at: new Date(settings.now()),
      })
      .execute();
    await audit.record(trx, {
      event: linkEvents['link-used'],
      outcome: 'success',
      uid: null,
      method: 'secret-key',
    });
    return { apiKey, apiSecret };
  });
}
