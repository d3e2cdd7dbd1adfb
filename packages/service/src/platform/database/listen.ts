import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from '../settings/options.ts';
import type { Listen } from './notifications.ts';

/** The time between tests of the connection, and the pause before a new one, ms. */
const [testMs, pauseMs] = [10_000, 1_000];

/**
 * Listens on a connection of its own, because those of the pool are lent to one call after another. A lost connection is
 * replaced. Resolves after the first try to connect, also if it failed.
 *
 * @param open opens a connection.
 * @param test rejects if the connection will get no more notifications.
 */
export function listenBy(
  open: () => Promise<Client>,
  test: (client: Client) => Promise<void>,
  logger: Logger,
): Listen {
  return async (channel, onNotification, onConnected) => {
    const stopped = new AbortController();
    const { signal } = stopped;
    let client: Client | undefined;
    const connect = async (): Promise<void> => {
      client = await open();
      client.on('error', () => undefined);
      client.on('notification', ({ payload = '' }) => {
        onNotification(payload);
      });
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      onConnected();
    };
    const end = async (): Promise<void> => {
      const former = client;
      client = undefined;
      await former?.end().catch(() => undefined);
    };
    /** Rejects when the connection is lost. A query that gets no response reveals a silent loss: `open` then closes it. */
    const watch = async (watched: Client): Promise<void> => {
      let tests: NodeJS.Timeout | undefined;
      const lost = new Promise<void>((resolve, reject) => {
        tests = setInterval(() => void test(watched).catch(reject), testMs).unref();
        watched.once('end', resolve);
      });
      await lost.finally(() => {
        clearInterval(tests);
      });
      throw new Error('The connection was closed.');
    };
    const run = async (): Promise<void> => {
      const isStopped = () => signal.aborted;
      while (!isStopped()) {
        try {
          if (client === undefined) await connect();
          else await watch(client);
        } catch (error) {
          if (isStopped()) break;
          const reason = error instanceof Error ? error.message : 'unknown';
          logger.warn('listening was interrupted', { reason });
          await end();
          await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
        }
      }
      // The connection may have been opened after the stop.
      await end();
    };
    await connect().catch(end);
    const running = run();
    return async () => {
      stopped.abort();
      await end();
      await running;
    };
  };
}
