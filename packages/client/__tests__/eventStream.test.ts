/** @jest-environment node */
import { createEventStream, type ServerEvent } from '../src/eventStream';

beforeEach(() => jest.useFakeTimers());

/** A browser whose service writes these parts of a stream, and then nothing, or ends it. */
function open(parts: readonly string[], { ends = true, status = 200, type = 'text/event-stream' } = {}) {
  const requests: Request[] = [];
  let abort: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      if (ends) controller.close();
      else abort = () => controller.error(new DOMException('', 'AbortError'));
    },
  });
  const browser = {
    navigator: {},
    setTimeout,
    clearTimeout,
    fetch: (url: string, options: RequestInit) => {
      requests.push(new Request(url, options));
      options.signal?.addEventListener('abort', abort);
      return Promise.resolve(new Response(body, { status, headers: { 'content-type': type } }));
    },
  } as unknown as Window & typeof globalThis;
  const events: ServerEvent[] = [];
  const over = new AbortController();
  const request = { url: 'http://api.test/auth/v1/events', bearer: 'b', signal: over.signal };
  const status$ = createEventStream(browser).read(request, (event) => events.push(event));
  return { requests, events, over, ended: status$ };
}

describe('an event stream', () => {
  it('is asked for with the bearer, and without cookies', async () => {
    const { requests, ended } = open([]);
    expect(await ended).toBe(200);
    const [request] = requests;
    expect(request?.headers.get('authorization')).toBe('Bearer b');
    expect(request?.headers.get('accept')).toBe('text/event-stream');
    expect([request?.credentials, request?.redirect, request?.cache]).toEqual(['omit', 'error', 'no-store']);
  });

  it('reports events, however they are divided into chunks, and no comments', async () => {
    const { events, ended } = open([
      ':\n\nevent: acc',
      'ount-changed\ndata: {"what"',
      ':["mfa"]}\n\n:\n\nid: 7\ndata: a\ndata:b\r\n\r\nevent: without-data\n\nevent: cut',
    ]);
    expect(await ended).toBe(200);
    expect(events).toEqual([
      { name: 'opened', data: '' },
      { name: 'account-changed', data: '{"what":["mfa"]}' },
      { name: '', data: 'a\nb' },
    ]);
  });

  it('is open with its first lines, and reports the version that they name', async () => {
    const { events, ended } = open(['id: 5f', '3a\n\nevent: account-changed\ndata: {}\n', '\nid: 7\n\n']);
    expect(await ended).toBe(200);
    expect(events).toEqual([
      { name: 'opened', data: '5f3a' },
      { name: 'account-changed', data: '{}' },
    ]);
    const late = open(['\r\n', 'id: 7\r\n\r\n']);
    expect(await late.ended).toBe(200);
    expect(late.events).toEqual([{ name: 'opened', data: '' }]);
    const empty = open([]);
    expect(await empty.ended).toBe(200);
    expect(empty.events).toEqual([]);
  });

  it.each([
    ['a refusal', { status: 401 }, 401],
    ['another kind of response', { type: 'text/html' }, 0],
  ])('is none: %s', async (_what, response, status) => {
    const { events, ended } = open(['event: session-ended\ndata: {}\n\n'], response);
    expect(await ended).toBe(status);
    expect(events).toEqual([]);
  });

  it('that is silent for a minute counts as broken, and one that the tab drops ends', async () => {
    const silent = open([':\n\n'], { ends: false });
    await jest.advanceTimersByTimeAsync(60_000);
    await expect(silent.ended).resolves.toBeDefined();
    const dropped = open([':\n\n'], { ends: false });
    dropped.over.abort();
    await expect(dropped.ended).resolves.toBeDefined();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('with an event without an end is given up', async () => {
    const { ended } = open(['data: ' + 'x'.repeat(20_000)], { ends: false });
    expect(await ended).toBe(0);
  });

  it('with a beginning without an end is given up', async () => {
    const { ended, events } = open([':\n'.repeat(10_000)]);
    expect(await ended).toBe(0);
    expect(events).toEqual([]);
  });
});
