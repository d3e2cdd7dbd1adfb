import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { AuditOrigin } from '../audit/audit.ts';
import type { OutboxMessageRow, Tables } from '../database/tables.ts';
import type { OutboxLength } from '../metrics/metrics.ts';
import type { Mail, TextMessage } from '../outbox/outbox.ts';
import { messageOwner } from '../security/sealStoredSecrets.ts';
import type { SecretBox } from '../security/secretBox.ts';

/** Somebody has forgotten the password of an account with this address, if there is one. */
export interface ForgottenPassword {
  readonly email: string;
  /** Who asked, for the audit log. */
  readonly origin: AuditOrigin;
}

/** What is sent, and how. 'forgot' is no message yet: which mails come of it is found out later. */
export type Content =
  | { readonly channel: 'mail'; readonly content: Mail }
  | { readonly channel: 'text'; readonly content: TextMessage }
  | { readonly channel: 'forgot'; readonly content: ForgottenPassword };

export type Channel = Content['channel'];

/** A message that is to be sent. */
export type NewMessage = Content & {
  /** What it is about, for the operator: 'reset', 'code'… */
  readonly kind: string;
  /** Whose it is: it goes when the account is removed. */
  readonly uid?: string;
  /** From when on its content (a code, a link) is of no use; it is not sent any more then. */
  readonly expiresAt?: Date;
  /** A newer message about the same replaces one that was not sent yet. */
  readonly topic?: string;
};

/** A message that this process has in hand, until `leaseMilliseconds` after it got it. */
export type HeldMessage = Pick<
  OutboxMessageRow,
  'id' | 'channel' | 'kind' | 'body' | 'attempts' | 'expires_at' | 'give_up_at' | 'due_at'
>;

/** How long a process has a message in hand. If it is killed, another process takes the message over after this time. */
export const leaseMilliseconds = 60_000;
/** Tries end a day after the message was written, or was retried by an operator. */
export const triesMilliseconds = 86_400_000;

/** Writes a message, in the hand of this process. `db` is the transaction that needs it. */
export async function writeMessage(
  db: Kysely<Tables>,
  box: SecretBox,
  { channel, content, kind, uid, expiresAt, topic = '' }: NewMessage,
  now: number,
): Promise<HeldMessage> {
  const id = randomUUID();
  const held = {
    id,
    channel,
    kind,
    body: box.seal(JSON.stringify({ channel, content }), messageOwner(id)),
    attempts: 1,
    due_at: new Date(now + leaseMilliseconds),
    expires_at: expiresAt ?? null,
    give_up_at: new Date(Math.min(now + triesMilliseconds, expiresAt?.getTime() ?? Infinity)),
  };
  await db
    .with('replaced', (query) =>
      query.deleteFrom('outbox_messages').where('topic', '=', topic).where('due_at', 'is not', null),
    )
    .insertInto('outbox_messages')
    .values({
      ...held,
      uid: uid ?? null,
      topic: topic === '' ? null : topic,
      created_at: new Date(now),
      failed_at: null,
      last_error: null,
    })
    .execute();
  return held;
}

/** What a message says. @throws Error as `SecretBox.open`. */
export function contentOf({ id, body }: HeldMessage, box: SecretBox): Content {
  return JSON.parse(box.open(body, messageOwner(id))) as Content;
}

/** Takes messages that are due in hand: those that wait for another try, and those of a process that was killed. */
export async function leaseMessages(
  db: Kysely<Tables>,
  channel: Channel,
  most: number,
  now: number,
): Promise<readonly HeldMessage[]> {
  const { rows } = await sql<OutboxMessageRow>`
    with due as materialized (
      select id from outbox_messages where channel = ${channel} and due_at <= ${new Date(now)}
      order by due_at limit ${most} for update skip locked)
    update outbox_messages as message
    set attempts = message.attempts + 1, due_at = ${new Date(now + leaseMilliseconds)}
    from due where message.id = due.id returning message.*`.execute(db);
  return rows;
}

/** Removes a message that is done with. @returns `false` when another process has it in hand by now, or it was dropped. */
export async function removeMessage(
  db: Kysely<Tables>,
  { id, attempts }: Pick<HeldMessage, 'id' | 'attempts'>,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('outbox_messages')
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/**
 * Gives a message out of hand: for another try (`due_at`), or for good (`failed_at`).
 *
 * @returns `false`, and changes nothing, when another process has it in hand by now, or it was dropped.
 */
export async function putBack(
  db: Kysely<Tables>,
  { id, attempts }: Pick<HeldMessage, 'id' | 'attempts'>,
  outcome: Partial<Pick<OutboxMessageRow, 'due_at' | 'failed_at' | 'last_error'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox_messages')
    .set(outcome)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Counts no further: during an outage of the mail server each scrape of each process asks. */
const mostCounted = 10_000;

/**
 * How many messages wait, how many were given up, up to 10,000 of each, and how old the oldest of those is that wait.
 *
 * @param now milliseconds since 1970
 */
export async function outboxLength(db: Kysely<Tables>, now: number): Promise<OutboxLength> {
  const { rows } = await sql<{ waiting: number; failed: number; oldest: Date | null }>`select waiting, oldest,
    (select count(*)::int from (select from outbox_messages where due_at is null limit ${mostCounted}) as one) as failed
    from (select count(*)::int as waiting, min(created_at) as oldest from
      (select created_at from outbox_messages where due_at is not null limit ${mostCounted}) as one) as all_waiting`.execute(
    db,
  );
  const { waiting = 0, failed = 0, oldest = null } = rows[0] ?? {};
  return { waiting, failed, oldestSeconds: oldest === null ? 0 : (now - oldest.getTime()) / 1000 };
}
