import { AsyncLocalStorage } from 'node:async_hooks';

/** A tab as the timers see it. */
export interface TimerOwner {
  /** Since when it is hidden, ms of virtual time; `null`: it is visible. Its timers are throttled when hidden. */
  hiddenSince: number | null;
}

interface Task {
  readonly at: number;
  readonly order: number;
  /** `null`: not of a tab, so that it happens while the computer sleeps, too. */
  readonly owner: TimerOwner | null;
  readonly isTimer: boolean;
  readonly run: () => void;
}

/** Time that passes as fast as its work is done. */
export interface VirtualTime {
  readonly now: () => number;
  /** The time without sleep. */
  readonly awake: () => number;
  /** Schedules an event in a tab, or (`null`) outside tabs, in this many ms. */
  readonly after: (ms: number, owner: TimerOwner | null, run: () => void) => void;
  /** Runs something in a tab now: the timers that it starts are that tab's. */
  readonly inTab: <T>(owner: TimerOwner, run: () => T) => T;
  /** A tab's timer that was not started from another timer; browsers delay it by a second at most. */
  readonly pause: (owner: TimerOwner, ms: number) => Promise<void>;
  readonly sleep: (ms: number) => void;
  readonly isAsleep: () => boolean;
  /** Waits in real time after the current work: code is fetched. */
  readonly settleNext: () => void;
  /** How many timers are running. */
  readonly pending: () => number;
  readonly runUntil: (end: number) => Promise<void>;
  /** Restores the real timers. */
  readonly release: () => void;
}

/** Chromium lets nested timers of a page that was hidden for five minutes fire once a minute, others once a second. */
const throttledAfterMs = 5 * 60_000;

/**
 * Replaces the real timers, which the sagas' `delay` uses, by virtual ones, and `Date.now` by virtual time.
 *
 * @param wallClock - what the computer's clock shows at that time
 * @param settle - fetches, in real time, what a tab may wait for
 */
export function startVirtualTime(
  start: number,
  wallClock: (now: number) => number,
  settle: () => Promise<unknown>,
): VirtualTime {
  const real = { setTimeout, clearTimeout };
  const realNow = Date.now;
  const immediately = setImmediate;
  const heap: Task[] = [];
  const cancelled = new Set<number>();
  let now = start;
  let slept = 0;
  let asleepUntil = start;
  let orders = 0;
  let mustSettle = true;
  // Follows a tab's work through its promises.
  const tabs = new AsyncLocalStorage<TimerOwner>();

  const dueIn = (owner: TimerOwner | null, ms: number, nested: boolean) => {
    const at = now + Math.max(0, ms);
    if (typeof owner?.hiddenSince !== 'number') return { owner, at };
    const step = nested && now - owner.hiddenSince > throttledAfterMs ? 60_000 : 1000;
    return { owner, at: Math.ceil(at / step) * step };
  };
  const add = (task: Omit<Task, 'order'>): number => {
    orders += 1;
    push(heap, { ...task, order: orders });
    return orders;
  };
  const fakeSetTimeout = (run: () => void, ms = 0) =>
    add({ ...dueIn(tabs.getStore() ?? null, ms, true), isTimer: true, run });
  const fakeClearTimeout = (id: unknown) => {
    if (typeof id === 'number') cancelled.add(id);
  };
  Object.assign(globalThis, { setTimeout: fakeSetTimeout, clearTimeout: fakeClearTimeout });
  // Cookies expire by the computer's clock.
  Date.now = () => wallClock(now);

  return {
    now: () => now,
    awake: () => now - slept,
    isAsleep: () => now < asleepUntil,
    settleNext: () => {
      mustSettle = true;
    },
    after: (ms, owner, run) => void add({ at: now + ms, owner, isTimer: false, run }),
    inTab: (owner, run) => tabs.run(owner, run),
    pause: (owner, ms) =>
      new Promise((resolve) => void add({ ...dueIn(owner, ms, false), isTimer: true, run: resolve })),
    sleep: (ms) => {
      asleepUntil = now + ms;
      slept += ms;
    },
    pending: () => heap.filter(({ order, isTimer }) => isTimer && !cancelled.has(order)).length,
    runUntil: async (end) => {
      for (let task = heap[0]; task && task.at <= end; task = heap[0]) {
        pop(heap);
        if (cancelled.delete(task.order)) continue;
        if (task.owner && task.at < asleepUntil && now < asleepUntil) {
          push(heap, { ...task, at: asleepUntil });
          continue;
        }
        now = Math.max(now, task.at);
        if (task.owner) tabs.run(task.owner, task.run);
        else task.run();
        await new Promise((resolve) => immediately(resolve));
        if (mustSettle) {
          mustSettle = false;
          await settle();
          await new Promise((resolve) => immediately(resolve));
        }
      }
      now = end;
    },
    release: () => {
      Object.assign(globalThis, real);
      Date.now = realNow;
    },
  };
}

const isBefore = (one: Task, other: Task): boolean =>
  one.at === other.at ? one.order < other.order : one.at < other.at;

function push(heap: Task[], task: Task): void {
  let index = heap.length;
  heap.push(task);
  while (index > 0) {
    const parentIndex = (index - 1) >> 1;
    const parent = heap[parentIndex];
    if (!parent || !isBefore(task, parent)) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = task;
}

function pop(heap: Task[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let index = 0;
  for (;;) {
    let childIndex = index * 2 + 1;
    let child = heap[childIndex];
    const right = heap[childIndex + 1];
    if (child && right && isBefore(right, child)) {
      child = right;
      childIndex += 1;
    }
    if (!child || !isBefore(child, last)) break;
    heap[index] = child;
    index = childIndex;
  }
  heap[index] = last;
}
