import type { DoneResponse, ForgetDevicesRequest, TrustedDevicesResponse } from '@vestibule/contract/schema';
import { anyOf } from '../platform/database/anyOf.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import type { Bearer } from '../core/keys/signedTokens.ts';
import type { ServiceContext } from '../core/context.ts';
import { sessionsEvents } from './events.ts';

/** `GET /auth/v1/trusted-devices`, of the extension `sessions`. */
export async function listTrustedDevices(
  { db, settings }: ServiceContext,
  { uid }: Pick<Bearer, 'uid'>,
): Promise<TrustedDevicesResponse> {
  const rows = await db
    .selectFrom('trusted_devices')
    .select(['id', 'browser', 'system', 'created_at', 'expires_at'])
    .where('uid', '=', uid)
    .where('expires_at', '>', new Date(settings.now()))
    .orderBy('created_at', 'desc')
    .execute();
  return {
    devices: rows.map(({ created_at, expires_at, ...device }) => ({
      ...device,
      trustedAt: created_at.toISOString(),
      expiresAt: expires_at.toISOString(),
    })),
  };
}

/** `POST /auth/v1/trusted-devices/forget`, of the extension `sessions`. */
export async function forgetTrustedDevices(
  { db, audit }: ServiceContext,
  { uid }: Pick<Bearer, 'uid'>,
  { ids }: ForgetDevicesRequest,
): Promise<DoneResponse> {
  await inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('trusted_devices')
      .where('uid', '=', uid)
      .where('id', '=', anyOf(ids))
      .executeTakeFirst();
    if (numDeletedRows > 0n)
      await audit.record(trx, { event: sessionsEvents['devices-forgotten'], outcome: 'success', uid });
  });
  return {};
}
