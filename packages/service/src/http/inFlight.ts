import type { RequestListener, ServerResponse } from 'node:http';
import type { ErrorResponse } from '@vestibule/contract/schema';

/** Keeps count of the requests that are being answered. */
export interface InFlight {
  readonly handle: RequestListener;
  /** From now on each connection ends with its answer, so that a proxy keeps none to us. */
  readonly retire: () => void;
  /**
   * From now on new requests are answered 503. Resolves once none of the others is left, at the latest after
   * `atMostMilliseconds`.
   */
  readonly drain: (atMostMilliseconds: number) => Promise<void>;
}

/**
 * Counts around a listener. The service may be dispatched to by a server that is not its own, so closing Fastify does
 * not wait for what is under way; the database must stay open until it is done.
 */
export function countInFlight(listener: RequestListener): InFlight {
  let count = 0;
  let retiring = false;
  let draining = false;
  let whenEmpty: (() => void) | undefined;

  return {
    handle: (request, response) => {
      if (draining) {
        refuse(response);
        return;
      }
      count += 1;
      if (retiring) response.setHeader('Connection', 'close');
      response.once('close', () => {
        count -= 1;
        if (count === 0) whenEmpty?.();
      });
      listener(request, response);
    },
    retire: () => {
      retiring = true;
    },
    drain: (atMostMilliseconds) => {
      draining = true;
      return new Promise((resolve) => {
        if (count === 0) {
          resolve();
          return;
        }
        const limit = setTimeout(resolve, atMostMilliseconds);
        whenEmpty = () => {
          clearTimeout(limit);
          resolve();
        };
      });
    },
  };
}

function refuse(response: ServerResponse): void {
  const body: ErrorResponse = {
    error: { message: 'The service is restarting. Please try again.', code: 'unavailable' },
  };
  response
    .writeHead(503, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': '1',
      Connection: 'close',
    })
    .end(JSON.stringify(body));
}
