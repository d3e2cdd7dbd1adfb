import type { Lease } from '@shared/platform/browser/locks';
import { createLocks } from '@shared/platform/browser/locks';
import { createFakePageLife } from '../../../support/fakePorts';

type Granted = (lock: Lock | null) => Promise<unknown>;

/** As much of the Web Locks API as is used, with the names that are held now. */
function lockManager() {
  const held = new Set<string>();
  const asked: unknown[] = [];
  const request = async (name: string, options: LockOptions, granted: Granted) => {
    asked.push(options);
    await Promise.resolve();
    if (held.has(name)) return granted(null);
    held.add(name);
    try {
      return await granted({ name, mode: 'exclusive' });
    } finally {
      held.delete(name);
    }
  };
  return { manager: { request } as unknown as LockManager, held, asked };
}

const refusing = (error: Error) => ({ request: () => Promise.reject(error) }) as unknown as LockManager;
const unusedLease: Lease = () => Promise.reject(new Error('the lease was asked although there are locks'));
const done = () => Promise.resolve('done');
const name = 'payments-test-refresh';

it('runs the work under an exclusive lock, asked for without waiting and never stolen', async () => {
  const { manager, held, asked } = lockManager();
  const locks = createLocks(manager, createFakePageLife(), unusedLease);
  const outcome = await locks.tryRun(name, () => Promise.resolve([...held]));
  expect(outcome).toEqual({ held: true, value: [name] });
  expect(asked).toEqual([{ mode: 'exclusive', ifAvailable: true }]);
  expect(held.size).toBe(0);
});

it('answers at once while another tab works, and starts nothing', async () => {
  const { manager } = lockManager();
  const [one, other] = [createFakePageLife(), createFakePageLife()].map((life) =>
    createLocks(manager, life, unusedLease),
  );
  const ends: ((value: string) => void)[] = [];
  const first = one?.tryRun(name, () => new Promise<string>((resolve) => ends.push(resolve)));
  const work = jest.fn(done);
  await expect(other?.tryRun(name, work)).resolves.toEqual({ held: false });
  expect(work).not.toHaveBeenCalled();
  ends[0]?.('done');
  await expect(first).resolves.toEqual({ held: true, value: 'done' });
  await expect(other?.tryRun(name, work)).resolves.toEqual({ held: true, value: 'done' });
});

it('keeps locks of different names apart', async () => {
  const locks = createLocks(lockManager().manager, createFakePageLife(), unusedLease);
  await expect(locks.tryRun('a', () => locks.tryRun('b', done))).resolves.toEqual({
    held: true,
    value: { held: true, value: 'done' },
  });
});

it('gives the lock back when the page is left, although the work goes on, and still answers with its value', async () => {
  const { manager, held } = lockManager();
  const pageLife = createFakePageLife();
  const ends: ((value: string) => void)[] = [];
  const outcome = createLocks(manager, pageLife, unusedLease).tryRun(
    name,
    () => new Promise<string>((resolve) => ends.push(resolve)),
  );
  await new Promise(process.nextTick);
  expect(held.size).toBe(1);
  pageLife.emit('hidden');
  await new Promise(process.nextTick);
  expect(held.size).toBe(1);
  pageLife.emit('left');
  await new Promise(process.nextTick);
  expect(held.size).toBe(0);
  ends[0]?.('done');
  await expect(outcome).resolves.toEqual({ held: true, value: 'done' });
  expect(pageLife.listenerCount()).toBe(0);
});

it.each<[string, () => Promise<never>]>([
  ['rejects', () => Promise.reject(new Error('broke'))],
  [
    'throws',
    () => {
      throw new Error('broke');
    },
  ],
])('gives the lock back when the work %s, and the failure comes through', async (_how, work) => {
  const { manager, held } = lockManager();
  const pageLife = createFakePageLife();
  await expect(createLocks(manager, pageLife, unusedLease).tryRun(name, work)).rejects.toThrow('broke');
  expect(held.size).toBe(0);
  expect(pageLife.listenerCount()).toBe(0);
});

describe('falls back to the lease', () => {
  const lease = jest.fn<ReturnType<Lease>, Parameters<Lease>>(async (_name, work) => ({
    held: true,
    value: await work(),
  }));
  beforeEach(() => lease.mockClear());

  it('where the browser has no locks', async () => {
    const outcome = await createLocks(undefined, createFakePageLife(), lease as Lease).tryRun(name, done);
    expect(outcome).toEqual({ held: true, value: 'done' });
    expect(lease).toHaveBeenCalledWith(name, done);
  });

  it('where it refuses them, as in a frame whose storage is blocked', async () => {
    const work = jest.fn(done);
    const manager = refusing(new DOMException('access denied', 'SecurityError'));
    await createLocks(manager, createFakePageLife(), lease as Lease).tryRun(name, work);
    expect(lease).toHaveBeenCalledTimes(1);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('but not when the lock is lost midway: the work is not run twice', async () => {
    const work = jest.fn(done);
    const manager = {
      request: async (_name: string, _options: LockOptions, granted: Granted) => {
        await granted({ name, mode: 'exclusive' });
        throw new DOMException('stolen', 'AbortError');
      },
    } as unknown as LockManager;
    const outcome = await createLocks(manager, createFakePageLife(), lease as Lease).tryRun(name, work);
    expect(outcome).toEqual({ held: true, value: 'done' });
    expect(work).toHaveBeenCalledTimes(1);
    expect(lease).not.toHaveBeenCalled();
  });
});
