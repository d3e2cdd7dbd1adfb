import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { tooManyTexts } from '../errors';
import type { ServiceContext } from '../serviceContext';

/** Limits of text messages; counted in the database, each for a window of its own. */
export interface TextLimits {
  /** Codes for signing in, for one user. Default 10. */
  readonly signInsPerUser: number;
  /** Codes for setting up a phone, for one user. Default 5. */
  readonly setUpsPerUser: number;
  /** Codes for setting up one phone, whoever asks, so that nobody's phone can be flooded. Default 5. */
  readonly setUpsPerPhone: number;
  /** Length of the window, in seconds. Default 3,600. */
  readonly windowSeconds: number;
}

export const defaultTextLimits: TextLimits = {
  signInsPerUser: 10,
  setUpsPerUser: 5,
  setUpsPerPhone: 5,
  windowSeconds: 3600,
};

/** What of a text message is limited: its reason and the user or the phone. */
type Counted = readonly [limit: keyof Omit<TextLimits, 'windowSeconds'>, of: string];

/**
 * Counts a text message before it is sent. Set-ups count apart from sign-ins: whoever asks for codes to somebody
 * else's phone must not keep its owner from signing in.
 *
 * @throws ServiceError 429 `rate_limited` when one of the limits is reached.
 */
export async function countText(
  context: Pick<ServiceContext, 'db' | 'settings'>,
  counted: readonly Counted[],
): Promise<void> {
  for (const one of counted) await countOne(context, one);
}

async function countOne(
  { db, settings }: Pick<ServiceContext, 'db' | 'settings'>,
  [limit, of]: Counted,
): Promise<void> {
  const subject = createHash('sha256').update(`${limit}:${of}`, 'utf8').digest('hex');
  const now = settings.now();
  const at = new Date(now);
  const windowEnd = new Date(now + settings.textLimits.windowSeconds * 1000);
  // One statement, so that parallel requests are counted one after the other under the row's lock.
  const { rows } = await sql<{ sent: number; window_ends_at: Date }>`
    insert into text_message_counts as present (subject, sent, window_ends_at)
    values (${subject}, 1, ${windowEnd})
    on conflict (subject) do update set
      sent = case when present.window_ends_at <= ${at} then 1 else least(present.sent + 1, 1000000) end,
      window_ends_at = case when present.window_ends_at <= ${at} then ${windowEnd} else present.window_ends_at end
    returning sent, window_ends_at`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error('A text message was not counted.');
  if (row.sent > settings.textLimits[limit]) {
    throw tooManyTexts(Math.max(1, Math.ceil((row.window_ends_at.getTime() - now) / 1000)));
  }
}
