import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { OutboxMessageRow, Tables } from '../database/tables.ts';
import { triesMilliseconds } from './messageStore.ts';

/** An unsent message, or one that was given up; without its content and recipient. */
export interface PendingMessage {
  readonly id: string;
  readonly channel: OutboxMessageRow['channel'];
  readonly kind: string;
  /** `null` for a message that belongs to no account. */
  readonly uid: string | null;
  readonly state: 'waiting' | 'failed';
  /** When it was written, or when it is first sent if that is later. */
  readonly createdAt: Date;
  /** The next try; `null` if it was given up. */
  readonly dueAt: Date | null;
  /** When its content expires. */
  readonly expiresAt: Date | null;
  readonly attempts: number;
  /** Why the latest try failed, as a code. */
  readonly lastError: string | null;
}

/** Ids of messages, or all messages that were given up. */
export type MessageChoice = readonly string[] | 'failed';

/** Management of the outbox, for operators. */
export interface MessageDirectory {
  /** Oldest first. */
  readonly pending: () => Promise<readonly PendingMessage[]>;
  /** Retries messages that were given up, for another day, unless their content has expired. @returns how many. */
  readonly retry: (choice: MessageChoice) => Promise<number>;
  /** Removes messages without sending them. @returns how many. */
  readonly drop: (choice: MessageChoice) => Promise<number>;
}

export function createMessageDirectory(db: Kysely<Tables>, now: () => number): MessageDirectory {
  return {
    pending: async () => {
      const rows = await db
        .selectFrom('outbox_messages')
        .select(['id', 'channel', 'kind', 'uid', 'created_at', 'due_at', 'expires_at', 'attempts'])
        .select('last_error')
        .orderBy('created_at')
        .execute();
      return rows.map(({ created_at, due_at, expires_at, last_error, ...row }) => ({
        ...row,
        state: due_at === null ? 'failed' : 'waiting',
        createdAt: created_at,
        dueAt: due_at,
        expiresAt: expires_at,
        lastError: last_error,
      }));
    },
    retry: async (choice) => {
      const at = new Date(now());
      const { numUpdatedRows } = await db
        .updateTable('outbox_messages')
        .set({
          due_at: at,
          failed_at: null,
          // `least` ignores null.
          give_up_at: sql<Date>`least(expires_at, ${new Date(now() + triesMilliseconds)})`,
        })
        .where('due_at', 'is', null)
        .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', at)]))
        .where(isOf(choice))
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    drop: async (choice) => {
      const { numDeletedRows } = await db
        .deleteFrom('outbox_messages')
        .where(isOf(choice))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function isOf(choice: MessageChoice): RawBuilder<boolean> {
  return choice === 'failed' ? sql<boolean>`due_at is null` : sql<boolean>`id = any(${choice}::text[])`;
}
