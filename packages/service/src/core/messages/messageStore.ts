import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { AuditOrigin } from '../audit/audit.ts';
import { anyOf } from '../../platform/database/anyOf.ts';
import type { OutboxMessageRow, Tables } from '../database/tables.ts';
import type { Letter } from '../../platform/mails/letter.ts';
import type { OutboxLength } from '../../platform/metrics/metrics.ts';
import { messageOwner } from '../keys/sealStoredSecrets.ts';
import type { SecretBox } from '../../platform/security/secretBox.ts';
import type { Text } from '../../platform/texts/texts.ts';

/** The stored content of a message, and its channel. */
export interface Content {
  readonly channel: string;
  readonly content: unknown;
}

/** A channel besides mails and text messages. Its name is stored with each message. */
export interface Channel<in Content> {
  readonly name: string;
  readonly handle: (context: never, content: Content, delivery: never) => Promise<unknown>;
}

/**
 * The fields of each request. Its mails are written after the response, because the time of the response would otherwise reveal whether the
 * account exists, or after the end of a challenge.
 */
export interface RequestContent {
  /** The origin of the call that caused it. */
  readonly origin: AuditOrigin;
}

/** The language of a message, if the deployment offers it. Default: the language of the user. */
interface Worded {
  readonly language?: string | undefined;
}

/** A mail or text message that is not translated yet, or the content of another channel. */
type Unworded<Other> =
  | (Worded & {
      readonly channel: 'mail';
      readonly content: { readonly to: string; readonly letter: Letter };
    })
  | (Worded & {
      readonly channel: 'text';
      readonly content: { readonly to: string; readonly text: Text; readonly suffix: string };
    })
  | { readonly channel: Channel<Other>; readonly content: Other };

/** A message to send. */
export type NewMessage<Other = never> = Unworded<Other> & MessageFacts;

interface MessageFacts {
  /** The kind, for the operator: 'reset', 'code'… */
  readonly kind: string;
  /** The user with whose account the message is removed. */
  readonly uid?: string;
  /** The message is not sent before this time. */
  readonly notBefore?: Date;
  /** When its content (a code, a link) expires; it is not sent after that. */
  readonly expiresAt?: Date;
  /** An unsent message is replaced by a newer one with the same topic. */
  readonly topic?: string;
  /** The passkey or phone of the user that it is about: see `Hooks.mailSent`. */
  readonly about?: string;
  /** The address of the application to which it is posted. One that hangs delays no other. */
  readonly receiver?: string;
}

/** What is sent independently of the rest: a channel, or its posts to one address. */
export type Lane = Pick<OutboxMessageRow, 'channel' | 'receiver'>;

/** A message that this process has leased for `leaseMilliseconds`. */
export type HeldMessage = Pick<
  OutboxMessageRow,
  | 'id'
  | 'channel'
  | 'receiver'
  | 'kind'
  | 'uid'
  | 'about'
  | 'body'
  | 'attempts'
  | 'expires_at'
  | 'give_up_at'
  | 'due_at'
>;

/** If a process is killed, another one takes over its messages after this time. */
const leaseMilliseconds = 60_000;
/** Tries end this long after a message could first be sent, or was retried by an operator. */
export const triesMilliseconds = 86_400_000;

/** Writes a message, leased by this process. `db` is the transaction that needs it. */
export async function writeMessage(
  db: Kysely<Tables>,
  box: SecretBox,
  { channel, content, kind, uid, notBefore, expiresAt, topic = '', about, receiver }: Content & MessageFacts,
  now: number,
): Promise<HeldMessage> {
  const id = randomUUID();
  const begin = notBefore?.getTime() ?? now;
  const held = {
    id,
    channel,
    receiver: receiver ?? null,
    kind,
    uid: uid ?? null,
    about: about ?? null,
    body: box.seal(JSON.stringify({ channel, content }), messageOwner(id)),
    attempts: 1,
    due_at: notBefore ?? new Date(now + leaseMilliseconds),
    expires_at: expiresAt ?? null,
    give_up_at: new Date(Math.min(begin + triesMilliseconds, expiresAt?.getTime() ?? Infinity)),
  };
  await db
    .with('replaced', (query) =>
      query.deleteFrom('outbox_messages').where('topic', '=', topic).where('due_at', 'is not', null),
    )
    .insertInto('outbox_messages')
    .values({
      ...held,
      topic: topic === '' ? null : topic,
      created_at: new Date(begin),
      failed_at: null,
      last_error: null,
    })
    .execute();
  return held;
}

/** Decrypts the content of a message. @throws Error as `SecretBox.open`. */
export function contentOf({ id, body }: HeldMessage, box: SecretBox): Content {
  return JSON.parse(box.open(body, messageOwner(id))) as Content;
}

/** The lanes of these channels that have messages that are due. */
export async function dueLanes(
  db: Kysely<Tables>,
  channels: readonly string[],
  now: number,
): Promise<readonly Lane[]> {
  return db
    .selectFrom('outbox_messages')
    .select(['channel', 'receiver'])
    .distinct()
    .where('channel', '=', anyOf(channels))
    .where('due_at', '<=', new Date(now))
    .execute();
}

/** Leases messages that are due: those that wait for a retry, and those of a process that was killed. */
export async function leaseMessages(
  db: Kysely<Tables>,
  { channel, receiver }: Lane,
  most: number,
  now: number,
): Promise<readonly HeldMessage[]> {
  const isOfLane = receiver === null ? sql`receiver is null` : sql`receiver = ${receiver}`;
  const { rows } = await sql<OutboxMessageRow>`
    with due as materialized (
      select id from outbox_messages where channel = ${channel} and ${isOfLane} and due_at <= ${new Date(now)}
      order by due_at limit ${most} for update skip locked)
    update outbox_messages as message
    set attempts = message.attempts + 1, due_at = ${new Date(now + leaseMilliseconds)}
    from due where message.id = due.id returning message.*`.execute(db);
  return rows;
}

/**
 * Removes a message that was handled. @returns `false` if another process has leased it in the meantime, or it was
 * removed.
 */
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
 * Ends the lease of a message: for a retry (`due_at`), or because it is given up (`failed_at`).
 *
 * @returns `false`, without a change, if another process has leased it in the meantime, or it was removed.
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

/** Limits the cost of the count, which each scrape of each process repeats during an outage. */
const maxCounted = 10_000;

/**
 * Counts the messages that wait to be sent now and those that were given up, at most 10,000 of each, and how long the oldest of the
 * first has waited.
 *
 * @param now milliseconds since 1970.
 */
export async function outboxLength(db: Kysely<Tables>, now: number): Promise<OutboxLength> {
  const { rows } = await sql<{ waiting: number; failed: number; oldest: Date | null }>`select waiting, oldest,
    (select count(*)::int from (select from outbox_messages where due_at is null limit ${maxCounted}) as one) as failed
    from (select count(*)::int as waiting, min(created_at) as oldest from
      (select created_at from outbox_messages where due_at is not null and created_at <= ${new Date(now)} limit ${maxCounted}) as one) as all_waiting`.execute(
    db,
  );
  const { waiting = 0, failed = 0, oldest = null } = rows[0] ?? {};
  return { waiting, failed, oldestSeconds: oldest === null ? 0 : (now - oldest.getTime()) / 1000 };
}
