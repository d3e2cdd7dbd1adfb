import { randomInt } from 'node:crypto';
import { textNotSent } from '../core/errors.ts';
import { digestOf } from '../core/limits/attemptKeys.ts';
import { countedMessages, countTextMessage } from '../core/limits/messageCounts.ts';
import type { WrittenMessage } from '../core/messages/messages.ts';
import type { ServiceContext, TransactionContext } from '../core/context.ts';
import type { ServiceSettings, TextLimits } from '../core/settings/options.ts';
import type { Text } from '../platform/texts/texts.ts';
import { mfaTexts } from './mfa.messages.ts';

/** A limit, and the user or phone that it applies to. */
type Counted = readonly [limit: Exclude<keyof TextLimits, 'all' | 'windowSeconds'>, of: string];

/** The subject of the limit of all text messages. */
const allTexts = digestOf('all texts');

/**
 * Counts a text message before it is sent. Enrolments count separately from sign-ins: a user who requests codes to another user's phone
 * must not block that user's sign-in.
 *
 * @throws ServiceError 429 `rate_limited` if a limit is reached.
 */
export async function countText(context: ServiceContext, counted: readonly Counted[]): Promise<void> {
  const { windowSeconds, all, ...limits } = context.settings.textLimits;
  await countTextMessage(
    context,
    counted.map(([limit, of]) => [digestOf(`${limit}:${of}`), { most: limits[limit], windowSeconds }]),
    { subject: allTexts, variable: 'TEXT_MESSAGES_PER_HOUR', most: all, windowSeconds },
  );
}

/** @returns how many text messages were requested in the current window, including those that its limit refused. */
export function countedTexts(context: ServiceContext): Promise<number> {
  return countedMessages(context, allTexts);
}

/** A code to send, and its stored form. */
export interface TextCode {
  readonly code: string;
  /**
   * argon2id, as for a password: all codes of six digits could be tried against the database, but not within the
   * lifetime of one.
   */
  readonly hash: string;
}

/** A new code of six digits. */
export async function newTextCode({ passwords }: ServiceContext): Promise<TextCode> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  return { code, hash: await passwords.hash(code) };
}

/** A code and its recipient. */
export interface TextedCode {
  readonly uid: string;
  /** E.164. */
  readonly phone: string;
  readonly code: string;
  /** Lifetime of the code in seconds, which the message states. */
  readonly lifeSeconds: number;
  /** What the code is for: an unsent message is replaced by one with the same topic. */
  readonly topic: string;
}

/**
 * Writes the message with a code into the outbox. It is not sent after the code has expired.
 *
 * @param context its transaction stores the code.
 * @returns the message, for `sendTextCode`.
 */
export async function writeTextCode(
  { db, settings, messages }: TransactionContext,
  { uid, phone, code, lifeSeconds, topic }: TextedCode,
): Promise<WrittenMessage> {
  const expiresAt = new Date(settings.now() + lifeSeconds * 1000);
  const content = { to: phone, ...codeMessage(code, lifeSeconds, settings) };
  return messages.write(db, { channel: 'text', kind: 'code', uid, topic, expiresAt, content });
}

/** The text of the message with a code. */
export function codeMessage(
  code: string,
  lifeSeconds: number,
  { productName, links }: Pick<ServiceSettings, 'productName' | 'links'>,
): { readonly text: Text; readonly suffix: string } {
  // Rounded down: a code that expires earlier than its message states looks like a wrong one.
  const minutes = Math.max(1, Math.floor(lifeSeconds / 60));
  return {
    text: mfaTexts.code(code, productName, mfaTexts.minutes(minutes)),
    // Binds the code to the login host, so that phones suggest it only there (WICG, origin-bound one-time codes).
    suffix: `\n\n@${new URL(links.signOnUrl).hostname} #${code}`,
  };
}

/**
 * Sends the message after the commit, and waits for up to three seconds, so that the response can report a refusal.
 *
 * @throws ServiceError 503 `unavailable` if the message is refused.
 */
export async function sendTextCode(
  { settings, messages }: ServiceContext,
  message: WrittenMessage,
): Promise<void> {
  if ((await messages.sendNow(message)) !== 'refused') return;
  settings.logger.error('text message was not taken');
  throw textNotSent();
}
