import { createHash, randomInt } from 'node:crypto';
import { textNotSent, tooManyTexts } from '../errors';
import { countMessage } from '../limits/messageCounts';
import type { ServiceContext } from '../serviceContext';
import type { TextLimits } from '../settings/options';

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

/** A code that is to be sent, and what is stored of it. */
export interface TextCode {
  readonly code: string;
  /**
   * argon2id, as of a password: a million codes are soon tried by who can read the database, but not within the life
   * of this one.
   */
  readonly hash: string;
}

/** A new code of six digits. */
export async function newTextCode({ passwords }: Pick<ServiceContext, 'passwords'>): Promise<TextCode> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  return { code, hash: await passwords.hash(code) };
}

/**
 * Sends a code to a phone (E.164).
 *
 * @param sent the code, and how long it is good for, which the message says.
 * @throws ServiceError 503 `unavailable` when the message was not taken.
 */
export async function sendTextCode(
  { settings }: Pick<ServiceContext, 'settings'>,
  phone: string,
  { code, lifeSeconds }: { readonly code: string; readonly lifeSeconds: number },
): Promise<void> {
  // Rather too little: a code that is over earlier than its message says looks like a wrong one.
  const minutes = Math.max(1, Math.floor(lifeSeconds / 60));
  const life = minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const words = `${code} is your ${settings.productName} verification code. It is valid for ${life}. Do not share it with anyone.`;
  // Binds the code to the login host: phones offer it on its pages, and on no other (WICG, origin-bound one-time codes).
  const text = `${words}\n\n@${new URL(settings.links.signOnUrl).hostname} #${code}`;
  try {
    await settings.outbox.sendTextMessage({ to: phone, text });
  } catch {
    // The reason is not logged: a provider's error may quote the number or the text.
    settings.logger.error('text message was not taken');
    throw textNotSent();
  }
}
