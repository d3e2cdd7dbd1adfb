import { UnavailableError } from './database/availability.ts';
import type { Logger } from './settings/options.ts';

/** Work that runs after the response, so that the response time reveals nothing about it. */
export interface Background {
  /** Runs the work after the response of the current call. A failure is logged under `name`. */
  readonly run: (name: string, work: () => Promise<void>) => void;
  /** Resolves when all work is done, or after `atMostMilliseconds`. */
  readonly settle: (atMostMilliseconds: number) => Promise<void>;
}

/** @param onFailure called with the name of work that failed. */
export function createBackground(logger: Logger, onFailure: (name: string) => void): Background {
  const underWay = new Set<Promise<void>>();
  return {
    run: (name, work) => {
      const done = new Promise<void>((resolve) => setImmediate(resolve))
        .then(work)
        .catch((error: unknown) => {
          // The message is left out, because that of a mail server may quote the refused address.
          logger.error('background work failed', { work: name, ...kindOf(error) });
          onFailure(name);
        });
      underWay.add(done);
      void done.then(() => underWay.delete(done));
    },
    settle: async (atMostMilliseconds) => {
      const limit = AbortSignal.timeout(atMostMilliseconds);
      const timeIsUp = new Promise<void>((resolve) => {
        limit.addEventListener('abort', () => {
          resolve();
        });
      });
      // Work may add more work: a mail for each account of an address.
      while (underWay.size > 0 && !limit.aborted) await Promise.race([Promise.all(underWay), timeIsUp]);
    },
  };
}

/**
 * Runs work at regular intervals; a run is skipped while the previous one is in progress. A failure is logged, and
 * the next run tries again.
 *
 * @returns stops the repetition and waits for a run in progress.
 */
export function repeat(
  {
    name,
    everyMilliseconds,
    startsNow,
    logger,
    onFailure,
  }: {
    readonly name: string;
    readonly everyMilliseconds: number;
    /** `false`: the first run starts after one interval. */
    readonly startsNow: boolean;
    readonly logger: Logger;
    readonly onFailure: (name: string, times?: number) => void;
  },
  work: () => Promise<void>,
): () => Promise<void> {
  const run = (): Promise<void> =>
    work().catch((error: unknown) => {
      // It is logged once, and has an alert of its own.
      if (error instanceof UnavailableError) return;
      logger.warn(`${name} failed`, { reason: error instanceof Error ? error.message : 'unknown' });
      onFailure(name);
    });
  onFailure(name, 0);
  let current: Promise<void> | undefined;
  const start = (): void => {
    current ??= run().finally(() => (current = undefined));
  };
  if (startsNow) start();
  const timer = setInterval(start, everyMilliseconds);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await current;
  };
}

function kindOf(error: unknown): Record<string, string> {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { errorCode: error.code } : {};
  return { error: error.name, ...code };
}
