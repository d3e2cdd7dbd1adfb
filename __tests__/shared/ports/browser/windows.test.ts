import { allowConfigured } from '@features/session/redirect/redirectAllowlist';
import { createBroadcast, createPopup } from '@shared/ports/browser/windows';
import fc from 'fast-check';
import { examples } from '@vestibule/contract/testing/examples';
import type { Broadcast } from '@shared/ports/ports';

const { origin } = window.location;

/** Another window: a real one, so that messages can come from it. */
function otherWindow(): Window {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  if (!frame.contentWindow) throw new Error('jsdom made no window');
  return frame.contentWindow;
}

/** What a test controls of the page's own window. */
interface Choices {
  readonly opens?: object | null;
  readonly opener?: Window | null;
  readonly place?: Partial<Record<'screenX' | 'screenY' | 'outerWidth' | 'outerHeight', number>>;
}

function ourWindow({ opens = null, opener = null, place = {} }: Choices) {
  const own = {
    open: jest.fn((_url: string, _target: string, _features: string) => opens),
    close: jest.fn<undefined, []>(),
    opener,
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    ...{ screenX: 0, screenY: 0, outerWidth: 1280, outerHeight: 800, ...place },
  };
  return { own, browser: Object.assign(Object.create(window) as Window, own) };
}

/** A message event as the browser would deliver it. */
function deliver(data: unknown, from: { origin?: string; source?: Window | null }) {
  window.dispatchEvent(new MessageEvent('message', { origin, ...from, data }));
}

afterEach(() => {
  document.body.innerHTML = '';
  jest.restoreAllMocks();
});

describe('opening a window', () => {
  it('opens a separate blank window of the sign-in’s size, at the right edge of the page’s window', () => {
    const { own, browser } = ourWindow({
      opens: otherWindow(),
      place: { screenX: -1920, screenY: 40, outerWidth: 1281, outerHeight: 900 },
    });
    expect(createPopup(browser).openBlank()).not.toBeNull();
    expect(own.open.mock.calls).toEqual([
      ['about:blank', '_blank', 'popup,width=480,height=680,left=-1119,top=150'],
    ]);
  });

  it('is at the corner of a page’s window that is smaller', () => {
    const { own, browser } = ourWindow({
      opens: otherWindow(),
      place: { screenX: 10, screenY: 20, outerWidth: 320, outerHeight: 480 },
    });
    createPopup(browser).openBlank();
    expect(own.open.mock.calls[0]?.[2]).toBe('popup,width=480,height=680,left=10,top=20');
  });

  it('returns null when the browser blocks it', () => {
    expect(createPopup(ourWindow({ opens: null }).browser).openBlank()).toBeNull();
  });
});

describe('an open window', () => {
  const plain = () => ({
    closed: false,
    close: jest.fn<undefined, []>(),
    postMessage: jest.fn<undefined, [unknown, string]>(),
    location: { replace: jest.fn<undefined, [string]>() },
  });

  it('is navigated without an entry for the blank page, and closed', () => {
    const opened = plain();
    const popup = createPopup(ourWindow({ opens: opened }).browser).openBlank();
    const target = allowConfigured('https://accounts.example/auth');
    if (!target) throw new Error('the allowlist refused the test address');
    popup?.go(target);
    popup?.close();
    expect(opened.location.replace.mock.calls).toEqual([['https://accounts.example/auth']]);
    expect(opened.close).toHaveBeenCalledTimes(1);
  });

  it('is queried each time whether it is closed', () => {
    const opened = plain();
    const popup = createPopup(ourWindow({ opens: opened }).browser).openBlank();
    expect(popup?.isClosed()).toBe(false);
    opened.closed = true;
    expect(popup?.isClosed()).toBe(true);
  });

  it('is posted to only while it shows a page of our origin', () => {
    const opened = plain();
    createPopup(ourWindow({ opens: opened }).browser)
      .openBlank()
      ?.post({ type: 'oauth/received' });
    expect(opened.postMessage.mock.calls).toEqual([[{ type: 'oauth/received' }, origin]]);
  });
});

describe('the opener of this window', () => {
  it('is null if there is none, or if a provider’s page severed the two', () => {
    expect(createPopup(ourWindow({ opener: null }).browser).opener).toBeNull();
  });

  it('is posted to only while it shows a page of our origin', () => {
    const opener = otherWindow();
    const post = jest.spyOn(opener, 'postMessage').mockImplementation(() => undefined);
    createPopup(ourWindow({ opener }).browser).opener?.post({ type: 'oauth/code', code: 'c' });
    expect(post.mock.calls).toEqual([[{ type: 'oauth/code', code: 'c' }, origin]]);
  });

  it('this window closes itself on request', () => {
    const { own, browser } = ourWindow({});
    createPopup(browser).closeSelf();
    expect(own.close).toHaveBeenCalledTimes(1);
  });
});

describe.each(['a window we opened', 'a window that opened us'] as const)('messages from %s', (whose) => {
  function listen() {
    const other = otherWindow();
    const { browser } = ourWindow({ opens: other, opener: other });
    const popup = createPopup(browser);
    const line = whose === 'a window we opened' ? popup.openBlank() : popup.opener;
    const heard: object[] = [];
    const stop = line?.subscribe((message) => heard.push(message));
    return { other, heard, stop: () => stop?.() };
  }

  it('are received until it unsubscribes', () => {
    const { other, heard, stop } = listen();
    deliver({ type: 'oauth/code', code: 'c' }, { source: other });
    stop();
    deliver({ type: 'oauth/code', code: 'd' }, { source: other });
    expect(heard).toEqual([{ type: 'oauth/code', code: 'c' }]);
  });

  it.each(['oauth/code', 1, true, null, undefined])('accepts objects only: not %j', (data) => {
    const { other, heard, stop } = listen();
    deliver(data, { source: other });
    stop();
    expect(heard).toEqual([]);
  });

  it('receives nothing from another window or origin, for any message, and never throws', () => {
    const { other, heard, stop } = listen();
    const sources: readonly (Window | null)[] = [other, otherWindow(), window, null];
    const near = [
      origin,
      `${origin}/`,
      origin.toUpperCase(),
      `${origin}0`,
      origin.replace('http:', 'https:'),
    ];
    const origins = fc.oneof(
      fc.constantFrom(...near, '', 'null', 'http://evil.example', origin.replace(':4000', '')),
      fc.webUrl(),
    );
    const genuine = fc.constant({ type: 'oauth/code', code: 'stolen' });
    const faults: unknown[] = [];
    const note = (event: ErrorEvent) => faults.push(event.error);
    window.addEventListener('error', note);
    fc.assert(
      fc.property(origins, fc.nat(3), fc.oneof(genuine, fc.jsonValue()), (sender, index, data) => {
        const source = sources[index] ?? null;
        fc.pre(!(sender === origin && source === other));
        deliver(data, { origin: sender, source });
        expect(heard).toEqual([]);
      }),
      { numRuns: examples(10_000) },
    );
    window.removeEventListener('error', note);
    stop();
    expect(faults).toEqual([]);
  });
});

describe('a channel between windows', () => {
  const { open } = createBroadcast(window);
  const opened: ReturnType<Broadcast['open']>[] = [];

  /** A channel that the test closes in any case: an open channel keeps the process alive. */
  const line = (name: string) => {
    const made = open(name);
    opened.push(made);
    return made;
  };

  afterEach(() => {
    for (const made of opened.splice(0)) made.close();
  });

  /** The next `count` messages of a channel. */
  const hear = (on: ReturnType<typeof line>, count = 1) =>
    new Promise<readonly object[]>((resolve) => {
      const heard: object[] = [];
      const stop = on.subscribe((message) => {
        if (heard.push(message) < count) return;
        stop();
        resolve(heard);
      });
    });

  /** All earlier messages have arrived once this has: messages of one sender keep their order. */
  const marker = { type: 'marker' };

  it('delivers a message to every other window of the same name, as a copy, and not back', async () => {
    const [sender, one, other] = [line('a'), line('a'), line('a')];
    const back = jest.fn();
    sender.subscribe(back);
    const message = { type: 'oauth/code', code: 'c' };
    const heard = Promise.all([hear(one), hear(other)]);
    sender.post(message);
    const [[first], [second]] = await heard;
    expect([first, second]).toEqual([message, message]);
    expect(first).not.toBe(message);
    expect(back).not.toHaveBeenCalled();
  });

  it('accepts objects only: listeners read their shape', async () => {
    const [receiver, raw] = [line('a'), new BroadcastChannel('a')];
    const heard = hear(receiver);
    for (const data of ['oauth/received', 1, true, null, undefined]) raw.postMessage(data);
    raw.postMessage(marker);
    expect(await heard).toEqual([marker]);
    raw.close();
  });

  it('calls no listener after it has unsubscribed, or the channel was closed', async () => {
    const [sender, receiver, closed] = [line('a'), line('a'), line('a')];
    const listener = jest.fn();
    receiver.subscribe(listener)();
    closed.subscribe(listener);
    closed.close();
    const arrived = hear(receiver);
    sender.post(marker);
    await arrived;
    expect(listener).not.toHaveBeenCalled();
  });

  describe.each([
    ['has no BroadcastChannel', undefined],
    [
      'refuses one to a sandboxed frame',
      function BroadcastChannel() {
        throw new DOMException('denied', 'SecurityError');
      },
    ],
  ])('a browser that %s', (_name, BroadcastChannel) => {
    it('has a silent channel, on which nothing throws', () => {
      const browser = Object.assign(Object.create(window) as typeof window, { BroadcastChannel });
      const silent = createBroadcast(browser).open('a');
      const listener = jest.fn();
      const stop = silent.subscribe(listener);
      silent.post({ type: 'oauth/code', code: 'c' });
      stop();
      silent.close();
      expect(listener).not.toHaveBeenCalled();
    });
  });
});
