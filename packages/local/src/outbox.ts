import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import type { Mail, Outbox, TextMessage } from '@vestibule/service';

const messageSchema = v.variant('kind', [
  v.object({ kind: v.literal('text'), id: v.number(), at: v.number(), to: v.string(), text: v.string() }),
  v.object({
    kind: v.literal('mail'),
    id: v.number(),
    at: v.number(),
    to: v.string(),
    subject: v.string(),
    text: v.string(),
    html: v.string(),
  }),
]);

/** Messages as they are kept in the file and sent by the outbox's host. */
export const messagesSchema = v.object({ messages: v.array(messageSchema) });

/** A message that was sent; `at` in milliseconds since 1970. */
export type SentMessage = v.InferOutput<typeof messageSchema>;

/** Stores the messages of the service instead of sending them, so that people and tests can read them. */
export interface EnvironmentOutbox extends Outbox {
  readonly sendTextMessage: (message: TextMessage) => Promise<void>;
  readonly sendMail: (mail: Mail) => Promise<void>;
  /** Newest first. */
  readonly messages: () => readonly SentMessage[];
  readonly clear: () => Promise<void>;
}

/** Most messages that are kept; the oldest are dropped. */
const kept = 500;

/**
 * Opens the outbox.
 *
 * @param file Where the messages outlive a restart (a mailed link does too); `null` keeps them in memory.
 * @param now The time of a message, milliseconds since 1970.
 */
export async function openOutbox(
  file: string | null,
  now: () => number = Date.now,
): Promise<EnvironmentOutbox> {
  let messages = file === null ? [] : await readMessages(file);
  let lastId = messages[0]?.id ?? 0;
  let writing = Promise.resolve();
  const save = (): Promise<void> => {
    // States are written one after another, so that an older one never overwrites a newer one.
    writing = writing
      .catch(() => undefined)
      .then(() => (file === null ? undefined : writeMessages(file, messages)));
    return writing;
  };
  const add = (message: Unnumbered): Promise<void> => {
    lastId += 1;
    messages = [{ ...message, id: lastId, at: now() }, ...messages].slice(0, kept);
    return save();
  };
  return {
    sendTextMessage: ({ to, text }) => add({ kind: 'text', to, text }),
    sendMail: ({ to, subject, text, html }) => add({ kind: 'mail', to, subject, text, html }),
    messages: () => messages,
    clear: () => {
      messages = [];
      return save();
    },
  };
}

type Unnumbered<M = SentMessage> = M extends SentMessage ? Omit<M, 'id' | 'at'> : never;

async function readMessages(file: string): Promise<readonly SentMessage[]> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return v.parse(messagesSchema, value).messages;
  } catch {
    // Missing, or written by an older version: start with an empty outbox instead of failing.
    return [];
  }
}

async function writeMessages(file: string, messages: readonly SentMessage[]): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  // Written to a temporary file and renamed, so that the old file stays intact if the process stops.
  await writeFile(`${file}.new`, JSON.stringify({ messages }));
  await rename(`${file}.new`, file);
}
