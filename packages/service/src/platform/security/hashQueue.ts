import { serviceBusy } from '../errors.ts';
import type { PasswordHashOptions } from '../settings/options.ts';

/** Runs work that computes a password hash: a few calls at once, and the clients in rotation. */
export interface HashQueue {
  /**
   * @param client see `networkOf`. Another client waits for at most one call of each client, regardless of their
   * number. The networks of one IPv6 /32 count as one client, because a provider may assign thousands of them.
   * @param call if its caller disconnects, the work is dropped unless it has started.
   * @throws ServiceError 503 if the queue is full, or the call has waited for 6 s; the reason of `gone` if the work
   * was dropped.
   */
  readonly run: <Result>(client: string, call: WaitingCall, work: () => Promise<Result>) => Promise<Result>;
  readonly load: () => { readonly running: number; readonly waiting: number };
}

/**
 * Maximum wait of a call since its arrival. a proxy tries another process after 8 s, where the call would wait again.
 */
const maxWaitMs = 6_000;

interface WaitingCall {
  /** Aborted when the caller hangs up. */
  readonly gone: AbortSignal;
  /** `performance.now()` at the arrival of the call, in ms. */
  readonly arrived: number;
}

/** The running and waiting calls of a client. */
interface ClientQueue {
  readonly client: string;
  /** See `groupOf`. */
  readonly group: string;
  running: number;
  /** Each function ends a wait, with a refusal or by starting the work. */
  readonly waiting: ((refusal?: Error) => void)[];
}

/**
 * @param limits see `PasswordHashOptions`. `ahead`: additional calls that may run, because work queries the database
 * before and after its hash. Without them a hash thread would idle during these queries.
 */
export function createHashQueue(
  limits: Pick<PasswordHashOptions, 'atOnce' | 'waiting'> & { readonly ahead?: number },
): HashQueue {
  const slots = limits.atOnce + (limits.ahead ?? 0);
  /** The queues in the order of execution. A queue moves to the end when one of its calls starts, and again when it ends. */
  let queues: ClientQueue[] = [];
  // A hash cannot be interrupted: if one client had every slot, the others would wait until a hash ends.
  const atOncePerGroup = Math.max(1, Math.floor(limits.atOnce / 2));

  const runningOf = (group: string): number =>
    queues.reduce((sum, queue) => (queue.group === group ? sum + queue.running : sum), 0);
  const waitingOf = (group: string): number =>
    queues.reduce((sum, queue) => (queue.group === group ? sum + queue.waiting.length : sum), 0);
  const queueOf = (client: string): ClientQueue => {
    queues = queues.filter((queue) => queue.running > 0 || queue.waiting.length > 0);
    const known = queues.find((queue) => queue.client === client);
    if (known !== undefined) return known;
    const queue: ClientQueue = { client, group: groupOf(client), running: 0, waiting: [] };
    queues.push(queue);
    return queue;
  };
  const toEnd = (moved: ClientQueue): void => {
    const isOf = (queue: ClientQueue): boolean => queue.group === moved.group;
    queues = [
      ...queues.filter((queue) => !isOf(queue)),
      ...queues.filter((queue) => isOf(queue) && queue !== moved),
      moved,
    ];
  };
  const load = () => ({
    running: queues.reduce((sum, { running }) => sum + running, 0),
    waiting: queues.reduce((sum, { waiting }) => sum + waiting.length, 0),
  });
  const startNext = (): void => {
    if (load().running >= slots) return;
    const next = queues.find((queue) => queue.waiting.length > 0 && runningOf(queue.group) < atOncePerGroup);
    if (next === undefined) return;
    next.running += 1;
    next.waiting.shift()?.();
    toEnd(next);
  };
  /** Refuses the newest call of the longest queue in the longest group, so that no client fills the queue. */
  const refuseOverload = (newest: ClientQueue): void => {
    if (load().waiting <= limits.waiting) return;
    const { group } = longestOf([newest, ...queues], (queue) => waitingOf(queue.group));
    const ofGroup = [newest, ...queues].filter((queue) => queue.group === group);
    longestOf(ofGroup, (queue) => queue.waiting.length).waiting.pop()?.(serviceBusy());
  };

  return {
    load,
    run: async (client, call, work) => {
      call.gone.throwIfAborted();
      const queue = queueOf(client);
      const mayRun = waitToRun(queue, call);
      startNext();
      refuseOverload(queue);
      await mayRun;
      try {
        return await work();
      } finally {
        queue.running -= 1;
        toEnd(queue);
        startNext();
      }
    },
  };
}

/** The networks of one IPv6 /32 form a group; an IPv4 address is its own group. */
const groupOf = (client: string): string => client.replace(/^([^:]+:[^:]+):[^:]+::\/48$/, '$1::/32');

/** The first of equally long queues. */
function longestOf(queues: readonly ClientQueue[], length: (queue: ClientQueue) => number): ClientQueue {
  return queues.reduce((longest, queue) => (length(queue) > length(longest) ? queue : longest));
}

function waitToRun({ waiting }: ClientQueue, { gone, arrived }: WaitingCall): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (refusal?: Error): void => {
      clearTimeout(timer);
      gone.removeEventListener('abort', hangUp);
      if (refusal === undefined) resolve();
      else reject(refusal);
    };
    const drop = (reason: Error): void => {
      waiting.splice(waiting.indexOf(end), 1);
      end(reason);
    };
    const hangUp = (): void => {
      drop(gone.reason as Error);
    };
    const timer = setTimeout(
      () => {
        drop(serviceBusy());
      },
      arrived + maxWaitMs - performance.now(),
    );
    gone.addEventListener('abort', hangUp);
    waiting.push(end);
  });
}
