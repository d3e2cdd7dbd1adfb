import type { KnownDeviceRequest, KnownDeviceResponse } from '@vestibule/contract/schema';
import { sql } from 'kysely';
import { withUserLocked } from '../accounts/lockUser.ts';
import { anyOf } from '../platform/database/anyOf.ts';
import { sessionEnded } from '../core/errors.ts';
import { hashOfToken, newOpaqueToken } from '../platform/security/opaqueTokens.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import type { NoticeContext } from './settings.ts';
import { noticeTables } from './tables.ts';
import { expectOpenSession } from '../session/openSession.ts';
import { newDeviceTopic } from './noticeKinds.ts';

/** The limit of known devices of a user. The one that was used longest ago is forgotten first. */
const mostKnown = 20;

/**
 * `POST /auth/v1/devices/known`, of the extension `notices`. On a known device, the mail about the sign-in is withdrawn.
 *
 * On another device the user gets a new token, which then also identifies the device for its other users. The token that was sent is
 * not adopted: whoever planted it could then sign in as this user without a mail.
 *
 * @throws ServiceError 401 `unauthorized` if the session has ended.
 */
export async function knowDevice(
  { db, settings }: NoticeContext,
  { uid, sessionId }: SessionBearer,
  { deviceToken }: KnownDeviceRequest,
): Promise<KnownDeviceResponse> {
  const now = new Date(settings.now());
  const topic = newDeviceTopic(sessionId);
  const response = await withUserLocked(db, uid, async (trx) => {
    await expectOpenSession(trx, { sessionId });
    if (deviceToken !== undefined) {
      const known = await noticeTables(trx)
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
        // If the mail was sent already, its link stays valid.
        if (numDeletedRows === 0n) return { deviceToken };
        await noticeTables(trx)
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
        : await noticeTables(trx)
            .selectFrom('known_devices')
            .select('uid')
            .where('token_hash', '=', hashOfToken(deviceToken))
            .execute();
    const users = [uid, ...others.map((other) => other.uid)];
    const tokenHash = hashOfToken(token);
    await noticeTables(trx)
      .insertInto('known_devices')
      .values(users.map((user) => ({ uid: user, token_hash: tokenHash, used_at: now })))
      .execute();
    await sql`
      delete from known_devices where (uid, token_hash) in (
        select uid, token_hash from (
          select uid, token_hash, row_number() over (
            partition by uid order by token_hash = ${tokenHash} desc, used_at desc
          ) as place
          from known_devices where uid = ${anyOf(users)}
        ) as ranked where place > ${mostKnown}
      )`.execute(trx);
    return { deviceToken: token };
  });
  if (response === null) throw sessionEnded('unauthorized');
  return response;
}
