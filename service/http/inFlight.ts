import type { RequestListener } from 'node:http';

/** Keeps count of the requests that are being answered. */
export interface InFlight {
  readonly handle: RequestListener;
  /** Resolves once none is left, at the latest after `atMostMilliseconds`. */
  readonly drained: (atMostMilliseconds: number) => Promise<void>;
}

/**
 * Counts around a listener. The service may be dispatched to by a server that is not its own, so closing Fastify does
 * not wait for what is under way; the database must stay open until it is done.
 */
export function countInFlight(listener: RequestListener): InFlight {
  let count = 0;
  let whenEmpty: (() => void) | undefined;

  return {
    handle: (request, response) => {
      count += 1;
      response.once('close', () => {
        count -= 1;
        if (count === 0) whenEmpty?.();
      });
      void listener(request, response);
    },
    drained: (atMostMilliseconds) =>
      new Promise((resolve) => {
        if (count === 0) {
          resolve();
          return;
        }
        const limit = setTimeout(resolve, atMostMilliseconds);
        whenEmpty = () => {
          clearTimeout(limit);
          resolve();
        };
      }),
  };
}
