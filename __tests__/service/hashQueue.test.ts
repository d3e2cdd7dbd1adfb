/** @jest-environment node */
import { callerGone } from '../../service/errors';
import { createHashQueue, type HashQueue } from '../../service/security/hashQueue';

/** Work that the test ends, and what has happened so far. */
function workshop(queue: HashQueue) {
  const begun: string[] = [];
  const over: Record<string, string> = {};
  const ends = new Map<string, () => void>();
  const hangUps = new Map<string, AbortController>();
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    over,
    /** @param name the client and a number: 'a1'. */
    send: (name: string): void => {
      const hangUp = new AbortController();
      hangUps.set(name, hangUp);
      const work = (): Promise<void> => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      };
      queue.run(name.charAt(0), hangUp.signal, work).then(
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

describe('the queue for hashes', () => {
  it('lets the clients take turns, however much one of them has sent before', async () => {
    const { send, end, begun, settled } = workshop(createHashQueue({ atOnce: 1, waiting: 10 }));
    ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].forEach(send);
    await settled();
    for (let done = 0; done < 7; done += 1) await end(begun[done] ?? '');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('keeps half of the places free of one client, for whoever comes next', async () => {
    const { send, end, begun, settled } = workshop(createHashQueue({ atOnce: 4, waiting: 10 }));
    ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].forEach(send);
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'c1']);
  });

  it('refuses beyond its length what the longest line sent last, not whoever comes then', async () => {
    const { send, over, settled, end, begun } = workshop(createHashQueue({ atOnce: 1, waiting: 3 }));
    ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'].forEach(send);
    await settled();
    expect(over).toEqual({ a5: '503', a4: '503' });
    for (let done = 0; done < 4; done += 1) await end(begun[done] ?? '');
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('refuses the newcomer where the lines are equally long', async () => {
    const { send, over, settled } = workshop(createHashQueue({ atOnce: 1, waiting: 2 }));
    ['a1', 'b1', 'c1', 'd1'].forEach(send);
    await settled();
    expect(over).toEqual({ d1: '503' });
  });

  it('drops what is waiting for a caller who has hung up, and makes room', async () => {
    const { send, hangUp, end, begun, over } = workshop(createHashQueue({ atOnce: 1, waiting: 2 }));
    ['a1', 'a2', 'a3'].forEach(send);
    await hangUp('a2');
    expect(over).toEqual({ a2: '499' });
    send('a4');
    for (let done = 0; done < 3; done += 1) await end(begun[done] ?? '');
    expect(begun).toEqual(['a1', 'a3', 'a4']);
    expect(over).toEqual({ a1: 'done', a2: '499', a3: 'done', a4: 'done' });
  });

  it('lets work that has begun go on, and takes none of a caller who is gone', async () => {
    const queue = createHashQueue({ atOnce: 1, waiting: 2 });
    const { send, hangUp, end, over, settled } = workshop(queue);
    send('a1');
    await settled();
    await hangUp('a1');
    expect(over).toEqual({});
    await end('a1');
    expect(over).toEqual({ a1: 'done' });
    await expect(
      queue.run('a', AbortSignal.abort(callerGone), () => Promise.resolve()),
    ).rejects.toMatchObject({
      status: 499,
    });
  });

  it('goes on after work that fails', async () => {
    const queue = createHashQueue({ atOnce: 1, waiting: 2 });
    const failing = queue.run('a', new AbortController().signal, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    await expect(queue.run('a', new AbortController().signal, () => Promise.resolve('on'))).resolves.toBe(
      'on',
    );
  });
});
