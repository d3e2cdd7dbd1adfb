import type { ServiceContext } from '../core/context.ts';
import type { AuditOrigin } from '../core/audit/audit.ts';
import { clientDetailsOf } from '../core/audit/clientDetails.ts';
import { onceCommitted } from '../platform/database/transaction.ts';
import { hashOfToken, newOpaqueToken } from '../platform/security/opaqueTokens.ts';
import { noticeTables } from './tables.ts';
import { newDeviceTopic, type NoticedEvent } from './noticeKinds.ts';
import { noticeLetter } from './noticeLetter.ts';

/** How long after a sign-in its mail is sent, unless the device turns out to be known, ms. */
const newDeviceDelayMs = 60_000;
/** How long a notice can be answered, ms. */
const openMs = 14 * 86_400_000;
/** The most mails to a person within a day. Further events are only in the activity list. */
const mostPerDay = 20;
/** Attackers can cause any number of these events. Each kind has its own limit of one mail a day. */
const oncePerDay: ReadonlySet<string> = new Set(['locked', 'second-step-missed']);

/**
 * Asks the owner of an account about an event, by a mail with a link. The mail is written in the transaction of the event, so
 * that there is never one without the other.
 */
export async function writeNotice(
  /** The context, whose transaction is that of the event. */
  { db, settings, messages, slots }: ServiceContext,
  { kind, uid, sessionId, about, at, told }: NoticedEvent,
  origin: AuditOrigin,
): Promise<void> {
  const text = slots.noticeTexts[kind];
  if (text === undefined) throw new Error(`There is no text for the notice '${kind}'.`);
  const now = settings.now();
  const happenedAt = at ?? now;
  const isOncePerDay = oncePerDay.has(kind);
  const user = await noticeTables(db)
    .selectFrom('users')
    .select(['email', 'username', 'first_name'])
    .select((eb) =>
      eb
        .selectFrom('notices')
        .select((one) => one.fn.countAll<string>().as('count'))
        .whereRef('notices.uid', '=', 'users.uid')
        .where('notices.created_at', '>', new Date(happenedAt - 86_400_000))
        .$if(isOncePerDay, (own) => own.where('kind', '=', kind))
        .as('notices'),
    )
    .where('uid', '=', uid)
    .executeTakeFirst();
  if (user === undefined || Number(user.notices) >= (isOncePerDay ? 1 : mostPerDay)) return;
  const id = newOpaqueToken();
  const clientDetails = clientDetailsOf(origin);
  const expiresAt = new Date(now + openMs);
  await noticeTables(db)
    .insertInto('notices')
    .values({
      id_hash: hashOfToken(id),
      uid,
      kind,
      session_id: sessionId ?? null,
      ...clientDetails,
      created_at: new Date(happenedAt),
      expires_at: expiresAt,
      answer: null,
    })
    .execute();
  const { links } = settings;
  const content = {
    to: user.email,
    letter: noticeLetter(
      { firstName: user.first_name, username: user.username },
      text,
      { at: happenedAt, ...clientDetails, told, url: `${links.signOnUrl}/security-notice/${id}` },
      links,
    ),
  };
  const kinds = { channel: 'mail', kind: `notice-${kind}` } as const;
  const mail = { ...kinds, uid, content, expiresAt, ...(about === undefined ? {} : { about }) };
  if (kind === 'new-device' && sessionId !== undefined) {
    await messages.write(db, {
      ...mail,
      topic: newDeviceTopic(sessionId),
      notBefore: new Date(now + newDeviceDelayMs),
    });
    return;
  }
  const written = await messages.write(db, mail);
  onceCommitted(db, () => {
    messages.sendSoon(written);
  });
}
