import { createHash, randomInt } from 'node:crypto';
import { textNotSent, tooManyTexts } from '../errors.ts';
import { countMessage } from '../limits/messageCounts.ts';
import type { WrittenMessage } from '../messages/messages.ts';
import type { ServiceContext, TransactionContext } from '../serviceContext.ts';
import type { TextLimits } from '../settings/options.ts';

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

/** A code for a phone, before its message is sent. */
export interface TextedCode {
  readonly uid: string;
  /** E.164. */
  readonly phone: string;
  readonly code: string;
  /** How long the code is good for, which the message says. */
  readonly lifeSeconds: number;
  /** What it opens: a newer code for the same replaces one that was not sent yet. */
  readonly topic: string;
}

/**
 * Writes the message with a code into the outbox. It is sent no longer than the code is good for.
 *
 * @param context its transaction stores the code.
 * @returns for `sendTextCode`.
 */
export async function writeTextCode(
  { db, settings, messages }: Pick<TransactionContext, 'db' | 'settings' | 'messages'>,
  { uid, phone, code, lifeSeconds, topic }: TextedCode,
): Promise<WrittenMessage> {
  // Rather too little: a code that is over earlier than its message says looks like a wrong one.
  const minutes = Math.max(1, Math.floor(lifeSeconds / 60));
  const life = minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const words = `${code} is your ${settings.productName} verification code. It is valid for ${life}. Do not share it with anyone.`;
  // Binds the code to the login host: phones offer it on its pages, and on no other (WICG, origin-bound one-time codes).
  const text = `${words}\n\n@${new URL(settings.links.signOnUrl).hostname} #${code}`;
  const expiresAt = new Date(settings.now() + lifeSeconds * 1000);
  const content = { to: phone, text };
  return messages.write(db, { channel: 'text', kind: 'code', uid, topic, expiresAt, content });
}

/**
 * Sends the message once it is committed, and waits a moment, so that the response can say that it could not be sent.
 *
 * @throws ServiceError 503 `unavailable` when nobody takes the message.
 */
export async function sendTextCode(
  { settings, messages }: Pick<ServiceContext, 'settings' | 'messages'>,
  message: WrittenMessage,
): Promise<void> {
  if ((await messages.sendNow(message)) !== 'refused') return;
  settings.logger.error('text message was not taken');
  throw textNotSent();
}
