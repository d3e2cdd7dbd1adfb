import { createFakeCookieJar } from '@vestibule/client/testing/fakeCookieJar';
import { createFakeBroadcast } from '../../../__tests__/support/fakePopups';
import { createFakeStorage } from '../../../__tests__/support/fakePorts';
import { seeded } from '@vestibule/contract/testing/seeded';
import { createServiceModel } from './serviceModel';
import { openTab } from './tabModel';
import { startVirtualTime } from './virtualTime';

/** What an hour added. Renders are caused by actions: without actions there are none. */
interface IdleCost {
  readonly hour: number;
  readonly actions: number;
  readonly timers: number;
  readonly 'cookie writes': number;
  readonly 'heap, kB': number;
}

const hourMs = 3_600_000;

/** Hours in which nothing is due, of a visible tab. The heap is measured after a collection, with `--expose-gc`. */
export async function idleHour(hours = 6): Promise<readonly IdleCost[]> {
  const start = Date.UTC(2026, 10, 2, 8);
  const settle = () => import('@features/session/refresh/polling');
  const time = startVirtualTime(start, (now) => now, settle);
  try {
    const jar = createFakeCookieJar();
    let writes = 0;
    const tab = openTab(
      {
        time,
        chance: seeded(1),
        jar: {
          ...jar,
          write: (...args: Parameters<typeof jar.write>) => {
            writes += 1;
            return jar.write(...args);
          },
        },
        heldLocks: new Set(),
        hasLocks: true,
        graceSeconds: 0,
        broadcast: createFakeBroadcast(),
        storage: createFakeStorage(),
        wallClock: () => Date.now(),
        sendRefresh: () => Promise.reject(new Error('Nothing is due')),
      },
      () => undefined,
    );
    tab.owner.hiddenSince = null;
    tab.signIn(createServiceModel(24 * 3600).signIn(start));
    await time.runUntil(start + hourMs);
    const costs: IdleCost[] = [];
    for (let hour = 1; hour <= hours; hour += 1) {
      const before = { actions: tab.dispatched(), timers: time.pending(), writes, heap: heapUsed() };
      await time.runUntil(start + (hour + 1) * hourMs);
      costs.push({
        hour,
        actions: tab.dispatched() - before.actions,
        timers: time.pending() - before.timers,
        'cookie writes': writes - before.writes,
        'heap, kB': Math.round((heapUsed() - before.heap) / 1000),
      });
    }
    tab.close();
    return costs;
  } finally {
    time.release();
  }
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
