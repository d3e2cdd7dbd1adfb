import type { RequestListener, ServerResponse } from 'node:http';
import type { ErrorResponse } from '@vestibule/contract/schema';
import { httpTexts } from '../errors.messages.ts';
import { acceptedLanguage, languageOf, worded } from '../texts/texts.ts';

/** Counts the requests in progress. */
interface InFlight {
  readonly handle: RequestListener;
  /** Closes each connection after its next response from now on, so that a proxy keeps none open. */
  readonly endKeepAlive: () => void;
  /**
   * Rejects new requests with 503 from now on. Resolves when the others are done, at the latest after
   * `atMostMilliseconds`.
   */
  readonly finish: (atMostMilliseconds: number) => Promise<void>;
}

/** Counts the calls and the work in progress. */
interface Progress {
  readonly begin: () => void;
  readonly end: () => void;
  /** Counts work until it is done, even if its caller hangs up before that. */
  readonly during: <Result>(work: Promise<Result>) => Promise<Result>;
  /** Calls a function as soon as nothing is in progress. */
  readonly whenEmpty: (then: () => void) => void;
}

export function createProgress(): Progress {
  let count = 0;
  let whenEmpty: (() => void) | undefined;
  const begin = (): void => {
    count += 1;
  };
  const end = (): void => {
    count -= 1;
    if (count === 0) whenEmpty?.();
  };
  return {
    begin,
    end,
    during: async (work) => {
      begin();
      try {
        return await work;
      } finally {
        end();
      }
    },
    whenEmpty: (then) => {
      whenEmpty = then;
      if (count === 0) then();
    },
  };
}

/**
 * Wraps a listener. Another server may dispatch to the service, so closing Fastify does not wait for requests in
 * progress; the database must stay open until they are done.
 *
 * @param languages of the service, the default first
 */
export function countInFlight(
  listener: RequestListener,
  languages: readonly string[],
  progress: Progress,
): InFlight {
  let isKeepAliveEnded = false;
  let isFinishing = false;
  return {
    handle: (request, response) => {
      if (isFinishing) {
        refuse(response, acceptedLanguage(request.headers['accept-language'], languages) ?? languages[0]);
        return;
      }
      progress.begin();
      if (isKeepAliveEnded) response.setHeader('Connection', 'close');
      response.on('close', progress.end);
      listener(request, response);
    },
    endKeepAlive: () => {
      isKeepAliveEnded = true;
    },
    finish: (atMostMilliseconds) => {
      isFinishing = true;
      return new Promise((resolve) => {
        const limit = setTimeout(resolve, atMostMilliseconds);
        progress.whenEmpty(() => {
          clearTimeout(limit);
          resolve();
        });
      });
    },
  };
}

function refuse(response: ServerResponse, language = 'en'): void {
  const body: ErrorResponse = {
    error: { message: worded(httpTexts.restarting, language), code: 'unavailable' },
  };
  response
    .writeHead(503, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': '1',
      'Content-Language': languageOf(httpTexts.restarting, language),
      Vary: 'Accept-Language',
      Connection: 'close',
    })
    .end(JSON.stringify(body));
}
