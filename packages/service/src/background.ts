import type { Logger } from './settings/options.ts';

/** Work that an answer must not wait for: the time of the answer would tell what the work was. */
export interface Background {
  /** Does the work once the present call has been answered. A failure is logged under `name`. */
  readonly run: (name: string, work: () => Promise<void>) => void;
  /** Resolves when nothing is left to do, at the latest after `atMostMilliseconds`. */
  readonly settle: (atMostMilliseconds: number) => Promise<void>;
}

/** @param onFailure is told the name of work that failed. */
export function createBackground(logger: Logger, onFailure: (name: string) => void): Background {
  const underWay = new Set<Promise<void>>();
  return {
    run: (name, work) => {
      const done = new Promise<void>((resolve) => setImmediate(resolve))
        .then(work)
        .catch((error: unknown) => {
          // Not the message: a mail server's quotes the address that it refuses.
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
      // Work may bring more work: a mail for each account of an address.
      while (underWay.size > 0 && !limit.aborted) await Promise.race([Promise.all(underWay), timeIsUp]);
    },
  };
}

/**
 * Does work again and again, but not while it is still under way. A failure is logged, and the next run tries again.
 *
 * @returns stops it and waits for a run under way.
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
    /** Otherwise the first run is a period away. */
    readonly startsNow: boolean;
    readonly logger: Logger;
    readonly onFailure: (name: string) => void;
  },
  work: () => Promise<void>,
): () => Promise<void> {
  const run = (): Promise<void> =>
    work().catch((error: unknown) => {
      logger.warn(`${name} failed`, { reason: error instanceof Error ? error.message : 'unknown' });
      onFailure(name);
    });
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
