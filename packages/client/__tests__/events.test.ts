/** @jest-environment node */
import { followEvents } from '../src/events';
import { decodeClaims } from '../src/claims';
import { pair } from './support/family';

beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2036, 0, 1) }));

/** A tab with a session, whose service answers each stream as arranged, or keeps it open. */
const openTab = (...statuses: readonly number[]) => openTabWith(statuses);

/** @param endsFirst - another tab removes the session before this tab listens */
function openTabWith(statuses: readonly number[], endsFirst = false) {
  const sessionOf = (facts: Parameters<typeof pair>[0] = {}) => {
    const tokens = pair(facts);
    const claims = decodeClaims(tokens.token);
    if (!claims) throw new Error('token');
    return { kind: 'present', tokens, claims } as const;
  };
  let session: ReturnType<typeof sessionOf> | null = sessionOf();
  const streams: {
    readonly bearer: string | null;
    readonly send: (text: string) => void;
    isOpen: boolean;
  }[] = [];
  const events = new EventTarget();
  const document = { visibilityState: 'visible' };
  const browser = Object.assign(events, {
    ...{ document, performance, setTimeout, clearTimeout },
    navigator: { locks: { request: (_name: string, _options: object, held: () => Promise<void>) => held() } },
    BroadcastChannel: class {
      constructor() {
        if (endsFirst) session = null;
      }
      readonly postMessage = () => undefined;
      readonly close = () => undefined;
    },
    fetch: (_url: string, { headers, signal }: RequestInit) => {
      const status = statuses[streams.length] ?? 200;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          const stream = {
            bearer: new Headers(headers).get('Authorization'),
            send: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
            isOpen: status === 200,
          };
          streams.push(stream);
          signal?.addEventListener('abort', () => {
            if (stream.isOpen) controller.error(new DOMException('', 'AbortError'));
            stream.isOpen = false;
          });
        },
      });
      return Promise.resolve(
        new Response(body, { status, headers: { 'content-type': 'text/event-stream' } }),
      );
    },
  });
  const log: string[] = [];
  const over = new AbortController();
  const changed = followEvents(
    browser as unknown as Window & typeof globalThis,
    { prefix: 'p', serviceUrl: 'http://api.test/' },
    over.signal,
    () => session,
    ({ token, isAnnounced }, reason) => {
      const which = (token ?? session?.tokens.token) === session?.tokens.token ? 'present' : 'other';
      log.push(`renew ${which} ${isAnnounced ? 'even if young' : 'unless young'} ${reason ?? ''}`.trim());
      return Promise.resolve();
    },
    () => {
      session = null;
      log.push('clear');
    },
    (reason) => log.push(`tell ${reason ?? 'nothing more'}`),
  );
  return {
    ...{ streams, log, over },
    hold: (next: Parameters<typeof pair>[0] | null) => {
      session = next ? sessionOf(next) : null;
      changed();
      return session;
    },
    show: (visibilityState: 'visible' | 'hidden') => {
      document.visibilityState = visibilityState;
      events.dispatchEvent(new Event('visibilitychange'));
    },
    end: (reason: string) => streams.at(-1)?.send(`event: session-ended\ndata: {"reason":"${reason}"}\n\n`),
  };
}

const pass = (ms = 0) => jest.advanceTimersByTimeAsync(ms);
const openOf = (streams: readonly { readonly isOpen: boolean }[]) => streams.map(({ isOpen }) => isOpen);

it('ends the session of its token, with the reason of the service; a later one only if a refresh is refused', async () => {
  const one = openTab();
  await pass();
  one.end('unheard-of');
  one.end('locked');
  await pass();
  expect(one.log).toEqual(['clear', 'tell locked']);
  const other = openTab();
  await pass();
  other.hold({});
  other.end('reused');
  await pass();
  expect(other.log).toEqual(['renew present even if young reused']);
});

it('notices an end that another tab announced before this tab listened', async () => {
  const { log, streams } = openTabWith([], true);
  await pass();
  expect(log).toEqual(['tell nothing more']);
  expect(streams).toEqual([]);
});

it('opens the next stream with the token that is present then, and none for another user or without one', async () => {
  const { streams, hold } = openTab();
  await pass();
  hold(null);
  await pass(5000);
  expect(openOf(streams)).toEqual([false]);
  const session = hold({ uid: 'u_2' });
  await pass(5000);
  expect(openOf(streams)).toEqual([false, true]);
  expect(streams[1]?.bearer).toBe(`Bearer ${session?.tokens.token ?? ''}`);
});

it('after a 401 asks for a refresh, the first time also of a young token, and does not send it again', async () => {
  const { streams, log, hold } = openTab(401, 401);
  await pass(600_000);
  expect(log).toEqual(['renew present even if young']);
  expect(streams).toHaveLength(1);
  hold({});
  await pass(600_000);
  // A service that refuses every token is not asked for one after another.
  expect(log).toEqual(['renew present even if young', 'renew present unless young']);
  expect(streams).toHaveLength(2);
  hold({});
  await pass();
  expect(openOf(streams)).toEqual([false, false, true]);
});

it('waits longer after each failure', async () => {
  const { streams } = openTab(...Array<number>(50).fill(503));
  await pass(600_000);
  expect(streams.length).toBeGreaterThan(10);
  expect(streams.length).toBeLessThan(30);
});

it('is closed after five minutes in a hidden tab, and with the page, until they are back', async () => {
  const { streams, show, over } = openTab();
  await pass();
  show('hidden');
  // A silent stream is another reason to close it.
  const comments = setInterval(
    () => streams.at(-1)?.isOpen === true && streams.at(-1)?.send(':\n\n'),
    20_000,
  );
  await pass(299_000);
  expect(openOf(streams)).toEqual([true]);
  await pass(1000);
  expect(openOf(streams)).toEqual([false]);
  show('visible');
  await pass();
  expect(openOf(streams)).toEqual([false, true]);
  over.abort();
  show('visible');
  await pass(60_000);
  expect(openOf(streams)).toEqual([false, false]);
  clearInterval(comments);
});
