import type { AnswerNoticeRequest, AnswerNoticeResponse, NoticeResponse } from '@vestibule/contract/schema';
import type { Kysely } from 'kysely';
import type { ServiceContext } from '../core/context.ts';
import { withUserLocked } from '../accounts/lockUser.ts';
import type { Tables } from '../core/database/tables.ts';
import { linkRefused } from '../core/errors.ts';
import { closeApiInvitations, issueLink } from '../links/links.ts';
import { hashOfToken } from '../platform/security/opaqueTokens.ts';
import { noticeTables } from './tables.ts';
import { noticeEvents } from './events.ts';

/** `GET /auth/v1/notices/{hash}`, of the extension `notices`. @throws ServiceError 404 for an unknown one. */
export async function getNotice({ db, settings }: ServiceContext, id: string): Promise<NoticeResponse> {
  const notice = await noticeTables(db)
    .selectFrom('notices')
    .select(['kind', 'created_at', 'browser', 'system', 'network', 'answer', 'expires_at'])
    .where('id_hash', '=', hashOfToken(id))
    .executeTakeFirst();
  if (notice === undefined) throw linkRefused(404);
  const { created_at, answer, expires_at, ...event } = notice;
  const isOpen = expires_at.getTime() > settings.now();
  return { ...event, at: created_at.toISOString(), state: answer ?? (isOpen ? 'open' : 'expired') };
}

/**
 * `POST /auth/v1/notices/{hash}`. An event that the user denies ends all access to the account, because whoever caused it
 * may have other sessions. A password is then refused until it is reset.
 *
 * @throws ServiceError 404 for a notice that is unknown, expired or answered otherwise.
 */
export async function answerNotice(
  context: ServiceContext,
  id: string,
  { mine }: AnswerNoticeRequest,
): Promise<AnswerNoticeResponse> {
  const { db, settings, audit, slots } = context;
  const idHash = hashOfToken(id);
  const answer = mine ? 'confirmed' : 'denied';
  const found = await noticeTables(db)
    .selectFrom('notices')
    .select('uid')
    .where('id_hash', '=', idHash)
    .executeTakeFirst();
  if (found === undefined) throw linkRefused(404);
  const response = await withUserLocked(db, found.uid, async (trx, user) => {
    const { uid, email, password_hash, must_change_password } = user;
    const own = { ...context, db: trx };
    const notice = await noticeTables(trx)
      .selectFrom('notices')
      .select(['answer', 'expires_at', 'created_at'])
      .where('id_hash', '=', idHash)
      .executeTakeFirst();
    if (notice === undefined) return null;
    const isOpen = notice.expires_at.getTime() > settings.now();
    const toNewPassword = async () =>
      password_hash === null
        ? {}
        : { resetHash: (await issueLink(own, { kind: 'reset-password', uid, isMagic: false })).id };
    // A call may be carried out twice. If its response was lost, the user still needs the new password.
    if (notice.answer === answer) return !mine && isOpen && must_change_password ? toNewPassword() : {};
    if (notice.answer !== null || !isOpen) return null;
    // A repeated denial leads to a new password for as long as the first one does.
    const resetUntil = new Date(settings.now() + settings.links.resetSeconds * 1000);
    await noticeTables(trx)
      .updateTable('notices')
      .set(mine ? { answer } : { answer, expires_at: resetUntil })
      .where('id_hash', '=', idHash)
      .execute();
    await audit.record(trx, {
      event: noticeEvents['notice-answered'],
      outcome: 'success',
      uid,
      method: answer,
    });
    if (mine) return {};
    await slots.endAccess(own, uid, 'elsewhere');
    await closeApiInvitations(own, { mailbox: email });
    // An attacker with access may have created them.
    await slots.afterDenial(own, uid, notice.created_at);
    if (password_hash !== null)
      await trx.updateTable('users').set({ must_change_password: true }).where('uid', '=', uid).execute();
    return toNewPassword();
  });
  if (response === null) throw linkRefused(404);
  return response;
}

/** Removes the notices that still lead to something: another mailbox than the present one could use them. */
export async function closeNotices(db: Kysely<Tables>, uid: string): Promise<void> {
  await noticeTables(db)
    .deleteFrom('notices')
    .where('uid', '=', uid)
    .where((is) => is.or([is('answer', 'is', null), is('answer', '=', 'denied')]))
    .execute();
}
