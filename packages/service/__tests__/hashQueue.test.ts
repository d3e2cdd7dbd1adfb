import { callerGone } from '../src/platform/errors.ts';
import { createHashQueue, type HashQueue } from '../src/platform/security/hashQueue.ts';
import { createPasswords, queuedPasswords } from '../src/platform/security/passwords.ts';

let onEnd: (() => void)[] = [];

// What still waits holds a timer of 6 s, and with it the process.
afterEach(() => {
  for (const hangUp of onEnd) hangUp();
  onEnd = [];
});

const callNow = (gone = new AbortController().signal) => ({ gone, arrived: performance.now() });

/** Work that the test ends, and a log of what happened. */
function workshop(queue: HashQueue, clientOf = (name: string) => name.charAt(0)) {
  const begun: string[] = [];
  const over: Record<string, string> = {};
  const ends = new Map<string, () => void>();
  const hangUps = new Map<string, AbortController>();
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    over,
    /** @param name the client and a number, 'a1', unless `clientOf` says otherwise. */
    send: (name: string): void => {
      const hangUp = new AbortController();
      hangUps.set(name, hangUp);
      onEnd.push(() => {
        hangUp.abort(callerGone);
      });
      const work = (): Promise<void> => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      };
      queue.run(clientOf(name), callNow(hangUp.signal), work).then(
        () => (over[name] = 'done'),
        (error: unknown) => (over[name] = String((error as { status?: number }).status)),
      );
    },
    end: async (name: string): Promise<void> => {
      ends.get(name)?.();
      await settled();
    },
    hangUp: async (name: string): Promise<void> => {
      hangUps.get(name)?.abort(callerGone);
      await settled();
    },
    settled,
  };
}

describe('the hash queue', () => {
  it('lets clients take turns, however much one of them has sent', async () => {
    const { send, end, begun, settled } = workshop(createHashQueue({ atOnce: 1, waiting: 10 }));
    ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].forEach(send);
    await settled();
    for (let done = 0; done < 7; done += 1) await end(begun[done] ?? '');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('limits one client to half of the places', async () => {
    const { send, end, begun, settled } = workshop(createHashQueue({ atOnce: 4, waiting: 10 }));
    ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].forEach(send);
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'c1']);
  });

  it('gives a turn ahead to a client that has no place yet', async () => {
    const { send, end, begun, settled } = workshop(createHashQueue({ atOnce: 2, ahead: 1, waiting: 10 }));
    ['a1', 'a2', 'b1', 'c1', 'd1'].forEach(send);
    await settled();
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'd1']);
  });

  it('lets the networks of one IPv6 /32 share the turns of one client, and fill the queue as one', async () => {
    const { send, end, begun, over, settled } = workshop(
      createHashQueue({ atOnce: 1, waiting: 4 }),
      (name) => name,
    );
    const ofOneNetwork = [1, 2, 3, 4, 5].map((n) => `2001:db8:${n}::/48`);
    [...ofOneNetwork, '2001:db9:1::/48', '203.0.113.1'].forEach(send);
    await settled();
    // Of five one runs; the newcomers take the places of two.
    expect(Object.values(over)).toEqual(['503', '503']);
    for (let done = 0; done < 5; done += 1) await end(begun[done] ?? '');
    expect(begun.slice(0, 3)).toEqual(['2001:db8:1::/48', '2001:db9:1::/48', '203.0.113.1']);
    expect(begun).toHaveLength(5);
  });

  it('when full, rejects the last request of the longest line, not of a new client', async () => {
    const { send, over, settled, end, begun } = workshop(createHashQueue({ atOnce: 1, waiting: 3 }));
    ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'].forEach(send);
    await settled();
    expect(over).toEqual({ a5: '503', a4: '503' });
    for (let done = 0; done < 4; done += 1) await end(begun[done] ?? '');
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('rejects the new request if the lines are equally long', async () => {
    const { send, over, settled } = workshop(createHashQueue({ atOnce: 1, waiting: 2 }));
    ['a1', 'b1', 'c1', 'd1'].forEach(send);
    await settled();
    expect(over).toEqual({ d1: '503' });
  });

  it('refuses what has waited for 6 s: nginx would soon ask another process', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const queue = createHashQueue({ atOnce: 1, waiting: 10 });
    const { send, end, begun, over, settled } = workshop(queue);
    ['a1', 'b1'].forEach(send);
    await jest.advanceTimersByTimeAsync(5_000);
    // A client whose work has been running for 6 s loses nothing that waits.
    ['a2', 'c1'].forEach(send);
    await jest.advanceTimersByTimeAsync(1_000);
    jest.useRealTimers();
    await settled();
    expect(over).toEqual({ b1: '503' });
    await end('a1');
    await end('c1');
    expect(begun).toEqual(['a1', 'c1', 'a2']);
    expect(queue.load()).toEqual({ running: 1, waiting: 0 });
  });

  it('refuses a call that waits for its second turn 6 s after it came', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const queue = createHashQueue({ atOnce: 1, waiting: 10 });
    const { send, end, settled } = workshop(queue);
    const call = callNow();
    const signIn = async () => {
      await queue.run('c', call, () => Promise.resolve());
      send('b1');
      await settled();
      await queue.run('c', call, () => Promise.resolve());
    };
    send('a1');
    const outcome = signIn().catch((error: unknown) => (error as { status?: number }).status);
    await jest.advanceTimersByTimeAsync(4_000);
    await end('a1');
    await jest.advanceTimersByTimeAsync(2_000);
    await end('b1');
    jest.useRealTimers();
    expect(await outcome).toBe(503);
  });

  it('drops queued work of an aborted call, and frees its place', async () => {
    const { send, hangUp, end, begun, over } = workshop(createHashQueue({ atOnce: 1, waiting: 2 }));
    ['a1', 'a2', 'a3'].forEach(send);
    await hangUp('a2');
    expect(over).toEqual({ a2: '499' });
    send('a4');
    for (let done = 0; done < 3; done += 1) await end(begun[done] ?? '');
    expect(begun).toEqual(['a1', 'a3', 'a4']);
    expect(over).toEqual({ a1: 'done', a2: '499', a3: 'done', a4: 'done' });
  });

  it('finishes started work, and accepts none of an aborted call', async () => {
    const queue = createHashQueue({ atOnce: 1, waiting: 2 });
    const { send, hangUp, end, over, begun, settled } = workshop(queue);
    ['a1', 'a2'].forEach(send);
    await settled();
    await hangUp('a1');
    expect(over).toEqual({});
    await end('a1');
    // The next call of the same client keeps its turn.
    expect(begun).toEqual(['a1', 'a2']);
    await end('a2');
    expect(over).toEqual({ a1: 'done', a2: 'done' });
    const late = queue.run('a', callNow(AbortSignal.abort(callerGone)), () => Promise.resolve());
    await expect(late).rejects.toMatchObject({ status: 499 });
  });

  it('continues after work that fails', async () => {
    const call = callNow();
    const queue = createHashQueue({ atOnce: 1, waiting: 2 });
    const failing = queue.run('a', call, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    await expect(queue.run('a', call, () => Promise.resolve('on'))).resolves.toBe('on');
  });
});

it('a new password is not hashed for a caller who hung up meanwhile, and may be with another process', async () => {
  const hangUp = new AbortController();
  const hashing = {
    ...createPasswords({ memoryKib: 1024, passes: 1, atOnce: 1 }),
    hash: () => {
      hangUp.abort(callerGone);
      return Promise.resolve('hash');
    },
  };
  const { hash } = queuedPasswords(hashing, (work) => work(), { gone: hangUp.signal });
  await expect(hash('Correct-horse7')).rejects.toBe(callerGone);
});
