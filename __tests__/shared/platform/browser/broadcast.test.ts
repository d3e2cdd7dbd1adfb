import { createBroadcast } from '@shared/platform/browser/windows';
import type { Broadcast } from '@shared/platform/platform';

const { open } = createBroadcast(window);
const opened: ReturnType<Broadcast['open']>[] = [];

/** A line that the test closes in any case: an open channel keeps the process alive. */
const line = (name: string) => {
  const made = open(name);
  opened.push(made);
  return made;
};

afterEach(() => {
  for (const made of opened.splice(0)) made.close();
});

/** The next `count` messages of a line. */
const hear = (on: ReturnType<typeof line>, count = 1) =>
  new Promise<readonly object[]>((resolve) => {
    const heard: object[] = [];
    const stop = on.subscribe((message) => {
      if (heard.push(message) < count) return;
      stop();
      resolve(heard);
    });
  });

/** Everything said before has arrived once this has: messages of one sender keep their order. */
const marker = { type: 'marker' };

it('carries a message to every other window of the same name, as a copy, and not back', async () => {
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

it('carries nothing to a channel of another name', async () => {
  const [sender, same, other] = [line('state-1'), line('state-1'), line('state-10')];
  const listener = jest.fn();
  other.subscribe(listener);
  const arrived = hear(same);
  sender.post(marker);
  await arrived;
  expect(listener).not.toHaveBeenCalled();
});

it('lets through objects only: whoever listens reads their shape', async () => {
  const [receiver, raw] = [line('a'), new BroadcastChannel('a')];
  const heard = hear(receiver);
  for (const data of ['oauth/received', 1, true, null, undefined]) raw.postMessage(data);
  raw.postMessage(marker);
  expect(await heard).toEqual([marker]);
  raw.close();
});

it('tells a listener nothing any more once it has unsubscribed', async () => {
  const [sender, receiver] = [line('a'), line('a')];
  const listener = jest.fn();
  receiver.subscribe(listener)();
  const arrived = hear(receiver);
  sender.post(marker);
  await arrived;
  expect(listener).not.toHaveBeenCalled();
});

it('hears nothing any more once it is closed', async () => {
  const [sender, closed, still] = [line('a'), line('a'), line('a')];
  const listener = jest.fn();
  closed.subscribe(listener);
  closed.close();
  const arrived = hear(still);
  sender.post(marker);
  await arrived;
  expect(listener).not.toHaveBeenCalled();
});

it('delivers what was posted just before it was closed', async () => {
  const [sender, receiver] = [line('a'), line('a')];
  const heard = hear(receiver);
  sender.post({ type: 'oauth/received' });
  sender.close();
  expect(await heard).toEqual([{ type: 'oauth/received' }]);
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
  it('has a silent line, on which nothing throws', () => {
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
