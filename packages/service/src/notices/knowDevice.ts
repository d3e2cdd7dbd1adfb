import type { KnownDeviceRequest, KnownDeviceResponse } from '@vestibule/contract/schema';
import { inTransaction } from '../database/transaction.ts';
import { hashOfToken, newOpaqueToken } from '../security/opaqueTokens.ts';
import type { SessionBearer } from '../security/signedTokens.ts';
import type { ServiceContext } from '../serviceContext.ts';
import { newDeviceTopic } from './noticeKinds.ts';

/**
 * `POST /auth/v1/devices/known`, of the extension `notices`. On a known device, the mail about the sign-in is withdrawn.
 *
 * On another device the user gets a new token, which then also identifies the device for its other users. The token that was sent is
 * not adopted: whoever planted it could then sign in as this user without a mail.
 */
export async function knowDevice(
  { db, settings }: Pick<ServiceContext, 'db' | 'settings'>,
  { uid, sessionId }: SessionBearer,
  { deviceToken }: KnownDeviceRequest,
): Promise<KnownDeviceResponse> {
  const now = new Date(settings.now());
  const topic = newDeviceTopic(sessionId);
  return inTransaction(db, async (trx) => {
    if (deviceToken !== undefined) {
      const known = await trx
        .updateTable('known_devices')
        .set({ used_at: now })
        .where('token_hash', '=', hashOfToken(deviceToken))
        .where('uid', '=', uid)
        .returning('uid')
        .executeTakeFirst();
      if (known !== undefined) {
        const { numDeletedRows } = await trx
          .deleteFrom('outbox_messages')
          .where('topic', '=', topic)
          .executeTakeFirst();
        // A mail that was sent keeps its link.
        if (numDeletedRows === 0n) return { deviceToken };
        await trx
          .deleteFrom('notices')
          .where('session_id', '=', sessionId)
          .where('kind', '=', 'new-device')
          .where('answer', 'is', null)
          .execute();
        return { deviceToken };
      }
    }
    // The mail can no longer be withdrawn: the sign-in would be on a device that is known only by its own token.
    await trx.updateTable('outbox_messages').set({ topic: null }).where('topic', '=', topic).execute();
    const token = newOpaqueToken();
    const others =
      deviceToken === undefined
        ? []
        : await trx
            .selectFrom('known_devices')
            .select('uid')
            .where('token_hash', '=', hashOfToken(deviceToken))
            .execute();
    await trx
      .insertInto('known_devices')
      .values([{ uid }, ...others].map((user) => ({ ...user, token_hash: hashOfToken(token), used_at: now })))
      .execute();
    return { deviceToken: token };
  });
}
