import { identityEvents } from '../identity/events.ts';
import type { AuditEntry, AuditOrigin } from '../core/audit/audit.ts';
import { clientDetailsOf } from '../core/audit/clientDetails.ts';
import { onceCommitted } from '../platform/database/transaction.ts';
import type { RequestContent } from '../core/messages/messageStore.ts';
import type { StartedChallenge, InTransaction, MailRequest } from '../core/context.ts';
import type { NoticeContext } from './settings.ts';
import { noticedEventOf } from './noticeKinds.ts';
import { writeNotice } from './writeNotice.ts';

/** A lockout, also of a username without an account. */
export interface Lockout extends RequestContent {
  readonly uid: string | null;
  readonly method: string | undefined;
}

/** A challenge whose owner gets a mail unless somebody signs in from its network by `until`. */
export interface StartedSecondStep extends RequestContent {
  readonly uid: string;
  /** The start of the challenge, and the end of the time for a sign-in, ms since 1970. */
  readonly at: number;
  readonly until: number;
}

/**
 * Writes the notice about an entry of the audit log, in its transaction. That of a lockout is written after the response,
 * whose time would otherwise reveal whether there is an account.
 */
export async function noticeEntry(
  context: NoticeContext,
  entry: AuditEntry,
  origin: AuditOrigin,
): Promise<void> {
  const { event, uid, method } = entry;
  if (event !== identityEvents.lockout) {
    const noticed = noticedEventOf(entry);
    if (noticed !== null) await writeNotice(context, noticed, origin);
    return;
  }
  const { db, messages } = context;
  const content = { uid, method, origin };
  const request = await messages.write(db, { channel: lockoutRequest, kind: 'lockout', content });
  onceCommitted(db, () => {
    messages.sendSoon(request);
  });
}

export const lockoutRequest: MailRequest<Lockout, NoticeContext> = {
  name: 'lockout',
  handle: async (context, { origin, ...lockout }) => {
    const entry = { event: identityEvents.lockout, outcome: 'failure', ...lockout } as const;
    const noticed = noticedEventOf(entry);
    if (noticed !== null) await writeNotice(context, noticed, origin);
    return [];
  },
};

/** A sign-in within this time after the end of a challenge shows that the challenge was the owner's, ms. */
const graceMs = 600_000;

/** The topic of the mail about a challenge that is not passed: see `StartedSecondStep`. */
const secondStepTopic = (tokenHash: string): string => `second-step ${tokenHash}`;

/** Requests a mail to the owner, which any process writes after the end of the challenge if it was not passed. */
export async function watchChallenge(
  { db, settings, messages, audit }: InTransaction<NoticeContext>,
  { uid, token_hash, created_at, expires_at }: StartedChallenge,
): Promise<void> {
  if (!settings.notices) return;
  const until = expires_at.getTime() + graceMs;
  await messages.write(db, {
    channel: secondStepRequest,
    kind: 'second-step',
    uid,
    topic: secondStepTopic(token_hash),
    notBefore: new Date(until),
    content: { uid, at: created_at.getTime(), until, origin: audit.origin },
  });
}

/**
 * Asks the owner about a challenge that was not passed, unless somebody has since signed in from the same network: that was probably
 * the owner, who tried again.
 */
async function writeMissedSecondStep(
  context: NoticeContext,
  { uid, at, until, origin }: StartedSecondStep,
): Promise<void> {
  const { db } = context;
  // Of several challenges that end at the same time, only one causes a mail.
  await db.selectFrom('users').select('uid').where('uid', '=', uid).forNoKeyUpdate().execute();
  const signIns = await db
    .selectFrom('audit_log')
    .select('network')
    .where('uid', '=', uid)
    .where('event', '=', 'sign-in')
    .where('outcome', '=', 'success')
    .where('at', '>=', new Date(at))
    .where('at', '<=', new Date(until))
    .execute();
  const networkOf = (network: string | null) => clientDetailsOf({ network, device: null }).network;
  if (signIns.some(({ network }) => networkOf(network) === networkOf(origin.network))) return;
  await writeNotice(context, { kind: 'second-step-missed', uid, at }, origin);
}

export const secondStepRequest: MailRequest<StartedSecondStep, NoticeContext> = {
  name: 'second-step',
  handle: async (context, challenge) => {
    await writeMissedSecondStep(context, challenge);
    return [];
  },
};

export async function withdrawChallenge(
  { db, settings }: InTransaction<NoticeContext>,
  tokenHash: string,
): Promise<void> {
  if (!settings.notices) return;
  await db.deleteFrom('outbox_messages').where('topic', '=', secondStepTopic(tokenHash)).execute();
}
