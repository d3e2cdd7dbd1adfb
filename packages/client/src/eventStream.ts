import { createParser } from 'eventsource-parser';

/** An event of a stream: its name, and its data as text. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Server-sent events with a bearer, and the lock that lets one tab of an origin read them. */
export interface EventStream {
  /**
   * Waits for a Web Lock and keeps it until the signal is aborted. Never rejects. Resolves to `false` if the browser has no
   * Web Locks, or the signal was aborted first.
   */
  readonly hold: (name: string, signal: AbortSignal) => Promise<boolean>;
  /**
   * Reads a stream until it ends, breaks, is silent for 60 s, or the signal is aborted. Never rejects.
   *
   * @param listener first gets `opened`, which the service does not send. Its data is the `id` at the beginning of the
   * stream, or empty if there is none
   * @returns the status of the response; 0 without a complete response
   */
  readonly read: (
    request: { readonly url: string; readonly bearer: string; readonly signal: AbortSignal },
    listener: (event: ServerEvent) => void,
  ) => Promise<number>;
}

/** A stream without any data for this long counts as broken, ms. The service writes at least a comment every 25 s. */
const silenceMs = 60_000;
/** The longest event that is accepted, characters. Those of the contract have fewer than 200. */
const longestEvent = 10_000;

/** Event streams of this browser. */
export function createEventStream(browser: Window & typeof globalThis): EventStream {
  return {
    hold: (name, signal) =>
      new Promise((resolve) => {
        const held = async () => {
          resolve(true);
          if (!signal.aborted)
            await new Promise((release) => {
              signal.addEventListener('abort', release);
            });
        };
        // `locks` is missing outside a secure context, although its type does not say so.
        const locks = browser.navigator.locks as LockManager | undefined;
        if (locks)
          locks.request(name, { signal }, held).catch(() => {
            resolve(false);
          });
        else resolve(false);
      }),
    read: async ({ url, bearer, signal }, listener) => {
      const over = new AbortController();
      const lost = () => {
        over.abort();
      };
      signal.addEventListener('abort', lost);
      let silence = browser.setTimeout(lost, silenceMs);
      try {
        const response = await browser.fetch(url, {
          headers: { Accept: 'text/event-stream', Authorization: `Bearer ${bearer}` },
          cache: 'no-store',
          credentials: 'omit',
          redirect: 'error',
          referrerPolicy: 'no-referrer',
          signal: over.signal,
        });
        const type = response.headers.get('content-type') ?? '';
        if (!response.ok || !response.body || !type.startsWith('text/event-stream')) {
          over.abort();
          return response.ok ? 0 : response.status;
        }
        const reader = response.body.getReader();
        const decoder = new TextDecoder();
        const parse = createReader(listener);
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return response.status;
          browser.clearTimeout(silence);
          silence = browser.setTimeout(lost, silenceMs);
          parse(decoder.decode(value, { stream: true }));
        }
      } catch {
        return 0;
      } finally {
        over.abort();
        signal.removeEventListener('abort', lost);
        browser.clearTimeout(silence);
      }
    },
  };
}

/** Parses text as it arrives. Skips comments, and an `id` after the beginning. @throws for an event that is too long. */
function createReader(listener: (event: ServerEvent) => void): (text: string) => void {
  // The library does not report the `id` at the beginning, because it comes without an event.
  let beginning: string | null = '';
  const parser = createParser({
    maxBufferSize: longestEvent,
    onEvent: ({ event = '', data }) => {
      listener({ name: event, data });
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
  });
  return (text) => {
    if (beginning !== null) {
      beginning += text;
      const lines = /^([^]*?\n)??\r?\n/.exec(beginning);
      if (lines) {
        listener({ name: 'opened', data: /^id: ?(.*?)\r?$/m.exec(lines[1] ?? '')?.[1] ?? '' });
        beginning = null;
        // The library counts neither comments nor other lines without an event.
      } else if (beginning.length > longestEvent) throw new Error('The beginning is too long');
    }
    parser.feed(text);
  };
}
