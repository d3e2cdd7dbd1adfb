import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { tooManyTexts } from '../errors.ts';
import type { ServiceSettings } from '../settings/options.ts';

interface CountContext {
  readonly db: Kysely<Tables>;
  readonly settings: Pick<ServiceSettings, 'now'>;
}

/** The maximum of messages within a window. */
interface MessageLimit {
  readonly most: number;
  /** Length of the window in seconds; the first request starts it. */
  readonly windowSeconds: number;
}

/**
 * Counts a request for a message before it is sent. The window is fixed: excess requests do not extend it, so a flood
 * cannot block a user's messages permanently.
 *
 * @param subject a digest of the limited address or user.
 * @returns whole seconds until the window ends if the limit is exceeded, otherwise `null`.
 */
export async function countMessage(
  { db, settings }: CountContext,
  subject: string,
  { most, windowSeconds }: MessageLimit,
): Promise<number | null> {
  const now = settings.now();
  const at = new Date(now);
  const windowEnd = new Date(now + windowSeconds * 1000);
  // One statement, so that the row's lock serialises parallel requests.
  const { rows } = await sql<{ sent: number; window_ends_at: Date }>`
    insert into text_message_counts as present (subject, sent, window_ends_at)
    values (${subject}, 1, ${windowEnd})
    on conflict (subject) do update set
      sent = case when present.window_ends_at <= ${at} then 1 else least(present.sent + 1, 1000000) end,
      window_ends_at = case when present.window_ends_at <= ${at} then ${windowEnd} else present.window_ends_at end
    returning sent, window_ends_at`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error('A message was not counted.');
  if (row.sent <= most) return null;
  return Math.max(1, Math.ceil((row.window_ends_at.getTime() - now) / 1000));
}

/** A limit of text messages for all users. Reaching it is logged. */
interface SharedTextLimit extends MessageLimit {
  readonly subject: string;
  /** The variable of the environment that sets it. */
  readonly variable: string;
}

/**
 * Counts a text message before it is sent. The limit of all users is counted last, so that messages which another limit refuses do not count
 * for it.
 *
 * @param own the limits of users and phones, by the digest of each.
 * @throws ServiceError 429 `rate_limited` if a limit is reached.
 */
export async function countTextMessage(
  context: CountContext & { readonly settings: Pick<ServiceSettings, 'logger'> },
  own: readonly (readonly [subject: string, limit: MessageLimit])[],
  { subject, variable, ...all }: SharedTextLimit,
): Promise<void> {
  for (const [ofOne, limit] of own) {
    const retryAfterSeconds = await countMessage(context, ofOne, limit);
    if (retryAfterSeconds !== null) throw tooManyTexts(retryAfterSeconds);
  }
  const retryAfterSeconds = await countMessage(context, subject, all);
  if (retryAfterSeconds === null) return;
  context.settings.logger.error(`text messages have reached ${variable}`, { retryAfterSeconds });
  throw tooManyTexts(retryAfterSeconds);
}

/** @returns how many messages were counted for the subject in its current window. */
export async function countedMessages({ db, settings }: CountContext, subject: string): Promise<number> {
  const row = await db
    .selectFrom('text_message_counts')
    .select('sent')
    .where('subject', '=', subject)
    .where('window_ends_at', '>', new Date(settings.now()))
    .executeTakeFirst();
  return row?.sent ?? 0;
}
