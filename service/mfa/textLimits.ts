import { createHash } from 'node:crypto';
import { tooManyTexts } from '../errors';
import type { TextLimits } from '../options';
import { countMessage } from '../security/messageCounts';
import type { ServiceContext } from '../serviceContext';

/** What of a text message is limited: its reason and the user or the phone. */
type Counted = readonly [limit: keyof Omit<TextLimits, 'windowSeconds'>, of: string];

/**
 * Counts a text message before it is sent. Set-ups count apart from sign-ins: a user who asks for codes to another
 * user's phone must not keep its owner from signing in.
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
  context: Pick<ServiceContext, 'db' | 'settings'>,
  [limit, of]: Counted,
): Promise<void> {
  const { textLimits } = context.settings;
  const subject = createHash('sha256').update(`${limit}:${of}`, 'utf8').digest('hex');
  const { windowSeconds } = textLimits;
  const retryAfterSeconds = await countMessage(context, subject, { most: textLimits[limit], windowSeconds });
  if (retryAfterSeconds !== null) throw tooManyTexts(retryAfterSeconds);
}
