import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import type { Background } from '../../platform/background.ts';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { traced, untraced } from '../../platform/metrics/traces.ts';
import { writeMail } from '../../platform/mails/letter.ts';
import {
  MessageDelayed,
  MessageRefused,
  type Delivery,
  type Mail,
  type TextMessage,
} from '../../platform/outbox/outbox.ts';
import { KeyFault, type SecretBox } from '../../platform/security/secretBox.ts';
import type { ServiceSettings } from '../settings/options.ts';
import { wordedForPhone } from '../../platform/texts/texts.ts';
import {
  contentOf,
  dueLanes,
  leaseMessages,
  putBack,
  removeMessage,
  writeMessage,
  type Content,
  type HeldMessage,
  type Lane,
  type NewMessage,
} from './messageStore.ts';

/** The outcome of a try: accepted, refused permanently, or waiting for a retry. */
type Outcome = 'taken' | 'refused' | 'waiting';

/** A message that was written; `null` if no sender is configured for it. */
export type WrittenMessage = HeldMessage | null;

/**
 * The outbox. Messages are written, encrypted, in the transaction that needs them, and sent after its commit by any
 * process, at least once. After a rollback nothing is sent; after a commit no fault of a process or a server loses
 * the message. It is retried with growing pauses for a day, or until its content expires.
 */
export interface Messages {
  /** @param db the transaction. After its commit, pass the message to `sendSoon` or `sendNow`. */
  readonly write: <Other = never>(db: Kysely<Tables>, message: NewMessage<Other>) => Promise<WrittenMessage>;
  /** Sends it after the response of the current call, which reveals neither its duration nor its failure. */
  readonly sendSoon: (message: WrittenMessage) => void;
  /** Sends it now, and waits for the outcome for at most three seconds, or `atMost` ms if that is less. */
  readonly sendNow: (message: WrittenMessage, atMost?: number) => Promise<Outcome>;
  /** Sends due messages of all processes. */
  readonly sendDue: () => Promise<void>;
  /** Calls `sendDue` every five seconds. @returns stops it. */
  readonly start: () => () => void;
}

export interface MessagesContext {
  readonly db: Kysely<Tables>;
  readonly settings: Pick<ServiceSettings, 'now' | 'outbox' | 'logger' | 'languages' | 'mailLook'>;
  readonly secretBox: SecretBox;
  readonly background: Background;
  /** Called for each message that is given up. */
  readonly onGivenUp: (channel: string) => void;
  /** Sends posts, by channel. */
  readonly posts: Readonly<Record<string, (content: unknown, delivery: Delivery) => Promise<void>>>;
  /** The channels of requests. */
  readonly requests: readonly string[];
  /** Runs when a mail about a passkey or phone of a user was sent, in the transaction that removes it. */
  readonly onSent: (trx: Transaction<Tables>, uid: string, about: string) => Promise<void>;
  /** Writes the mails that result from a request. */
  readonly onRequest: (trx: Transaction<Tables>, request: Content) => Promise<readonly WrittenMessage[]>;
}

/**
 * Messages of each lane that a process sends at once, so that a channel or an application that hangs does not delay another. Mail
 * servers limit connections; requests need a connection of the database.
 */
const maxAtOnce: Readonly<Record<string, number>> = { text: 30, mail: 10 };
const maxRequestsAtOnce = 2;
const maxPostsAtOnce = 5;
const pollMilliseconds = 5_000;
/** How long a caller waits for the first try. */
const callerMilliseconds = 3_000;
/** Timeout of a try. The lease is longer than this and `finishMilliseconds` together. */
const tryMilliseconds = 20_000;
/**
 * How long removing a sent message is retried while the database is unavailable. If its row stays, it is sent again.
 */
const finishMilliseconds = 30_000;
/** The first and the longest pause between tries, in milliseconds; each is twice as long as the previous one. */
const [firstPause, longestPause] = [2_000, 900_000];

export function createMessages(context: MessagesContext): Messages {
  const { settings, secretBox, background, posts, requests } = context;
  const { now, outbox, logger } = settings;
  const channels: readonly string[] = [
    ...(outbox.sendTextMessage === undefined ? [] : ['text']),
    ...(outbox.sendMail === undefined ? [] : ['mail', ...requests]),
    ...Object.keys(posts),
  ];

  const { sendDue, firstTry, stop } = createQueue(context, channels, (message) => {
    sendSoon(message);
  });

  const sendSoon = (message: WrittenMessage): void => {
    if (message === null) return;
    background.run('message', async () => {
      await firstTry(message);
    });
  };

  return {
    write: async (trx, message) => {
      const { kind } = message;
      const channel = nameOf(message);
      if (channels.includes(channel)) {
        const language = await languageOfReader(trx, message, settings.languages);
        return writeMessage(trx, secretBox, wordedMessage(message, language, settings.mailLook), now());
      }
      logger.error('message not sent: nothing is configured for it', { channel, kind });
      return null;
    },
    sendSoon,
    sendNow: (message, atMost = callerMilliseconds) => {
      if (message === null) return Promise.resolve('refused');
      return new Promise((resolve) => {
        const limit = setTimeout(resolve, Math.min(callerMilliseconds, atMost), 'waiting' as const);
        background.run('message', async () => {
          try {
            resolve(await firstTry(message));
          } finally {
            clearTimeout(limit);
            // If the try itself failed (the database is unavailable), another one follows.
            resolve('waiting');
          }
        });
      });
    },
    sendDue,
    start: () => {
      const timer = setInterval(() => {
        background.run('messages', sendDue);
      }, pollMilliseconds);
      timer.unref();
      return () => {
        stop();
        clearInterval(timer);
      };
    },
  };
}

/** The language of the message, or else the stored language of the user, or else the default. */
async function languageOfReader<Other>(
  db: Kysely<Tables>,
  message: NewMessage<Other>,
  [fallback = 'en', ...others]: readonly string[],
): Promise<string> {
  const given = 'language' in message ? message.language : undefined;
  // A stored language may have been removed from the configuration.
  const offered = [fallback, ...others].find((one) => one === given);
  if (offered !== undefined || others.length === 0 || message.uid === undefined) return offered ?? fallback;
  const user = await db
    .selectFrom('users')
    .select('language')
    .where('uid', '=', message.uid)
    .executeTakeFirst();
  return others.find((one) => one === user?.language) ?? fallback;
}

function nameOf<Other>({ channel }: NewMessage<Other>): string {
  return typeof channel === 'string' ? channel : channel.name;
}

function wordedMessage<Other>(
  message: NewMessage<Other>,
  language: string,
  look: ServiceSettings['mailLook'],
): Parameters<typeof writeMessage>[2] {
  switch (message.channel) {
    case 'mail': {
      const { to, letter } = message.content;
      return { ...message, content: writeMail(to, letter, language, look) };
    }
    case 'text': {
      const { to, text, suffix } = message.content;
      return { ...message, content: { to, text: wordedForPhone(text, language) + suffix } };
    }
    default:
      return { ...message, channel: nameOf(message) };
  }
}

/** Sends the messages of each lane, so many at once as `maxAtOnce` says. */
function createQueue(context: MessagesContext, channels: readonly string[], sendSoon: Messages['sendSoon']) {
  const { db, settings, background, posts } = context;
  const { now } = settings;
  const underWay = new Map<string, number>();
  const freeOf = (lane: Lane): number =>
    (maxAtOnce[lane.channel] ?? (lane.channel in posts ? maxPostsAtOnce : maxRequestsAtOnce)) -
    (underWay.get(keyOf(lane)) ?? 0);
  const draining = new Set<string>();
  /** Lanes with messages that wait for a free slot. */
  const backlogged = new Set<string>();
  let isStopped = false;

  const tryOnce = createTries(context, {
    sendSoon,
    wakeAfter: (lane, milliseconds) => {
      wakeAfter(lane, milliseconds);
    },
  });

  const occupied = async (message: HeldMessage): Promise<Outcome> => {
    const key = keyOf(message);
    underWay.set(key, (underWay.get(key) ?? 0) + 1);
    try {
      return await tryOnce(message);
    } finally {
      const left = (underWay.get(key) ?? 1) - 1;
      if (left === 0) underWay.delete(key);
      else underWay.set(key, left);
      if (backlogged.delete(key)) wakeAfter(message, 0);
    }
  };

  const drain = async (lane: Lane): Promise<void> => {
    const key = keyOf(lane);
    if (draining.has(key)) return;
    draining.add(key);
    try {
      for (;;) {
        const free = freeOf(lane);
        if (free <= 0 || isStopped) return;
        const messages = await leaseMessages(db, lane, free, now());
        if (messages.length === 0) return;
        await Promise.all(messages.map(occupied));
      }
    } finally {
      draining.delete(key);
    }
  };

  const sendDue = async (): Promise<void> => {
    if (isStopped) return;
    await Promise.all((await dueLanes(db, channels, now())).map(drain));
  };

  const wakeAfter = (lane: Lane, milliseconds: number): void => {
    untraced(() =>
      setTimeout(() => {
        if (!isStopped) background.run('messages', () => drain(lane));
        // A timer may fire slightly early.
      }, milliseconds + 20).unref(),
    );
  };

  const firstTry = async (message: HeldMessage): Promise<Outcome> => {
    if (freeOf(message) > 0) return occupied(message);
    // This or another process sends the message later, and the caller does not wait.
    await putBack(db, message, { due_at: new Date(now()) });
    backlogged.add(keyOf(message));
    return 'waiting';
  };

  const stop = (): void => {
    isStopped = true;
  };
  return { sendDue, firstTry, stop };
}

const keyOf = ({ channel, receiver }: Lane): string => `${channel} ${receiver ?? ''}`;

/** @returns tries to send a message, or to write the mails of a request, and settles its lease. */
function createTries(
  { db, settings, secretBox, posts, requests, onGivenUp, onSent, onRequest }: MessagesContext,
  {
    sendSoon,
    wakeAfter,
  }: Pick<Messages, 'sendSoon'> & {
    readonly wakeAfter: (lane: Lane, milliseconds: number) => void;
  },
): (message: HeldMessage) => Promise<Outcome> {
  const { now, outbox, logger } = settings;

  const sendOut = async ({ channel, content }: Content, delivery: Delivery): Promise<void> => {
    if (channel === 'text' && outbox.sendTextMessage !== undefined)
      await outbox.sendTextMessage(content as TextMessage, delivery);
    else if (channel === 'mail' && outbox.sendMail !== undefined)
      await outbox.sendMail(content as Mail, delivery);
    else {
      const send = posts[channel];
      if (send === undefined) throw new MessageDelayed('not-configured');
      await send(content, delivery);
    }
  };

  const giveUp = async (message: HeldMessage, reason: string): Promise<Outcome> => {
    const { id, channel, kind, attempts } = message;
    const outcome = { due_at: null, failed_at: new Date(now()), last_error: reason };
    // Another process has leased it, and may still deliver it.
    if (!(await putBack(db, message, outcome))) return 'waiting';
    logger.warn('message given up', { id, channel, kind, attempts, reason });
    onGivenUp(channel);
    return 'refused';
  };

  const afterFailure = async (message: HeldMessage, error: unknown): Promise<Outcome> => {
    const reason = reasonOf(error);
    const isRefused = error instanceof MessageRefused;
    const milliseconds = Math.max(
      // Another process may have the key.
      error instanceof KeyFault ? pollMilliseconds : pauseAfter(message.attempts),
      error instanceof MessageDelayed ? error.retryAfterSeconds * 1000 : 0,
    );
    const dueAt = now() + milliseconds;
    if (isRefused || dueAt >= message.give_up_at.getTime()) return giveUp(message, reason);
    const { id, channel, kind, attempts } = message;
    logger.info('message not taken', { id, channel, kind, attempts, reason });
    await putBack(db, message, { due_at: new Date(dueAt), last_error: reason });
    if (milliseconds < pollMilliseconds) wakeAfter(message, milliseconds);
    return 'waiting';
  };

  /**
   * Replaces the request by its mails in one transaction, so that they are written once even if a process is killed.
   */
  const writeMailsOf = async (message: HeldMessage, request: Content): Promise<void> => {
    const mails = await inTransaction(db, async (trx) =>
      (await removeMessage(trx, message)) ? onRequest(trx, request) : [],
    );
    for (const mail of mails) sendSoon(mail);
  };

  const finish = ({ uid, about, ...message }: HeldMessage): Promise<unknown> =>
    uid === null || about === null
      ? removeMessage(db, message)
      : inTransaction(db, async (trx) => {
          if (await removeMessage(trx, message)) await onSent(trx, uid, about);
        });

  return async (message) => {
    const { id, channel, kind, attempts, expires_at: expiresAt } = message;
    // The lease has expired, because this process was suspended.
    if (message.due_at !== null && message.due_at.getTime() <= now()) return 'waiting';
    if (message.give_up_at.getTime() <= now()) return giveUp(message, 'expired');
    try {
      const opened = contentOf(message, secretBox);
      if (requests.includes(opened.channel)) {
        await writeMailsOf(message, opened);
        return 'taken';
      }
      const lifeSeconds = expiresAt === null ? null : (expiresAt.getTime() - now()) / 1000;
      await traced('message', { channel, kind }, () =>
        within(tryMilliseconds, sendOut(opened, { id, lifeSeconds })),
      );
    } catch (error) {
      return afterFailure(message, error);
    }
    await retryAnyError(finishMilliseconds, () => finish(message));
    logger.info('message sent', { id, channel, kind, attempts });
    return 'taken';
  };
}

/**
 * The pause before the next try, in ms. It is partly random, so that messages that failed together are not retried together.
 */
function pauseAfter(attempts: number): number {
  const longest = Math.min(longestPause, firstPause * 2 ** Math.min(attempts - 1, 20));
  return Math.round(longest * (0.5 + Math.random() / 2));
}

/** The reason of a failure as a code. The message of the error is left out, because it may quote the address or the text. */
function reasonOf(error: unknown): string {
  const { reason, code, name } = (error ?? {}) as Readonly<Record<'reason' | 'code' | 'name', unknown>>;
  const given = [reason, code, name].find((one): one is string => typeof one === 'string') ?? 'unknown';
  return given.replace(/[^\w.-]/g, '_').slice(0, 60);
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const end = new AbortController();
  const limit = pause(milliseconds, undefined, { signal: end.signal, ref: false }).then(() => {
    throw new MessageDelayed('timeout');
  });
  // If the work ends first, the aborted pause rejects, which is expected.
  limit.catch(() => undefined);
  try {
    await Promise.race([work, limit]);
  } finally {
    end.abort();
  }
}

/** Retries the work every second until it succeeds. @throws its error when the time is over. */
async function retryAnyError(milliseconds: number, work: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + milliseconds;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await pause(1_000, undefined, { ref: false });
  }
}
