import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { DatabaseError, type PoolConfig } from 'pg';

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>;

/** A message from `embedded.worker.mjs`; id 0: the database is open. */
interface Reply {
  readonly id: number;
  readonly messages?: Messages;
}

/** An embedded database, and how node-postgres reaches it. */
interface EmbeddedDatabase {
  readonly config: PoolConfig;
  readonly close: () => Promise<void>;
}

/**
 * Opens PGlite in a worker thread: it runs synchronously and would block all calls on the main thread during a query.
 *
 * @param folder `null` keeps the data in memory.
 * @throws Error if the database cannot be opened.
 */
export async function openEmbedded(folder: string | null): Promise<EmbeddedDatabase> {
  const workerData = folder === null ? {} : { dataDir: join(folder, 'database') };
  const worker = new Worker(new URL('./embedded.worker.mjs', import.meta.url), { workerData, execArgv: [] });
  const waiting = new Map<
    number,
    { resolve: (messages: Messages) => void; reject: (error: Error) => void }
  >();
  let calls = 0;
  let lost: Error | null = null;

  const replyTo = (id: number): Promise<Messages> =>
    new Promise((resolve, reject) => {
      if (lost === null) waiting.set(id, { resolve, reject });
      else reject(lost);
    });
  const send = (bytes: Uint8Array | null): Promise<Messages> => {
    calls += 1;
    worker.postMessage({ id: calls, bytes });
    return replyTo(calls);
  };
  worker.on('message', ({ id, messages = [] }: Reply) => {
    waiting.get(id)?.resolve(messages.map(asReceived));
    waiting.delete(id);
  });
  worker.on('error', (error) => {
    lost = error;
    for (const call of waiting.values()) call.reject(error);
  });

  await replyTo(0);
  // The part of PGlite that the configuration uses.
  const lite: Pick<PGlite, 'waitReady' | 'execProtocolStream'> = {
    waitReady: Promise.resolve(),
    execProtocolStream: send,
  };
  return {
    // PGlite is one session: a second pooled connection would share (and break) the first one's transaction.
    config: Object.assign(createPgConfig(lite as PGlite), { max: 1 }),
    close: async () => {
      await send(null);
      await worker.terminate();
    },
  };
}

/** Restores the class of errors, which is lost between threads. */
function asReceived(message: Messages[number]): Messages[number] {
  if (message.name !== 'error') return message;
  const { message: text } = message as Messages[number] & { readonly message: string };
  return Object.assign(new DatabaseError(text, message.length, 'error'), message);
}
