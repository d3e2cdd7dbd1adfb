import { serviceBusy } from '../errors.ts';
import type { PasswordHashOptions } from '../settings/options.ts';

/** Gives work that costs a hash its turn: a few at once, the clients one after the other. */
export interface HashQueue {
  /**
   * @param client see `networkOf`. However much one sends, another waits for one turn of each. The networks of one IPv6 /32, which a
   * provider may hand out by the thousand, share the turns of one client.
   * @param call the work of a caller who has hung up is dropped, unless it has begun.
   * @throws ServiceError 503 when too much is waiting, or the call still waits 6 s after it came; the reason of `gone` when the work was dropped.
   */
  readonly run: <Result>(client: string, call: WaitingCall, work: () => Promise<Result>) => Promise<Result>;
  readonly load: () => { readonly running: number; readonly waiting: number };
}

/**
 * After the call came, in milliseconds, whatever it has waited for. A turn that comes later is of no use: nginx asks another process after 8 s,
 * where the call would wait once more.
 */
const latestTurn = 6_000;

interface WaitingCall {
  /** Aborted when the caller hangs up. */
  readonly gone: AbortSignal;
  /** `performance.now()` when the call came, ms. */
  readonly arrived: number;
}

/** What a client has running and waiting. */
interface Lane {
  readonly client: string;
  /** See `groupOf`. */
  readonly group: string;
  running: number;
  /** Each ends a wait: with a refusal, or with the turn. */
  readonly waiting: ((refusal?: Error) => void)[];
}

/**
 * @param limits see `PasswordHashOptions`. `ahead`: turns besides, for work that asks the database before and after its hash
 * while others hash. Otherwise a thread that could hash would wait for the database.
 */
export function createHashQueue(
  limits: Pick<PasswordHashOptions, 'atOnce' | 'waiting'> & { readonly ahead?: number },
): HashQueue {
  const turns = limits.atOnce + (limits.ahead ?? 0);
  /** In the order of their next turns: a lane goes to the end as a turn of its begins, and again as it ends. */
  let lanes: Lane[] = [];
  // A hash cannot be interrupted: with every place taken by one client, another would wait for one to end.
  const atOncePerLane = Math.max(1, Math.floor(limits.atOnce / 2));

  const runningOf = (group: string): number =>
    lanes.reduce((sum, lane) => (lane.group === group ? sum + lane.running : sum), 0);
  const waitingOf = (group: string): number =>
    lanes.reduce((sum, lane) => (lane.group === group ? sum + lane.waiting.length : sum), 0);
  const laneOf = (client: string): Lane => {
    lanes = lanes.filter((lane) => lane.running > 0 || lane.waiting.length > 0);
    const known = lanes.find((lane) => lane.client === client);
    if (known !== undefined) return known;
    const lane: Lane = { client, group: groupOf(client), running: 0, waiting: [] };
    lanes.push(lane);
    return lane;
  };
  const toEnd = (moved: Lane): void => {
    const isOf = (lane: Lane): boolean => lane.group === moved.group;
    lanes = [
      ...lanes.filter((lane) => !isOf(lane)),
      ...lanes.filter((lane) => isOf(lane) && lane !== moved),
      moved,
    ];
  };
  const load = () => ({
    running: lanes.reduce((sum, { running }) => sum + running, 0),
    waiting: lanes.reduce((sum, { waiting }) => sum + waiting.length, 0),
  });
  const startNext = (): void => {
    if (load().running >= turns) return;
    const next = lanes.find((lane) => lane.waiting.length > 0 && runningOf(lane.group) < atOncePerLane);
    if (next === undefined) return;
    next.running += 1;
    next.waiting.shift()?.();
    toEnd(next);
  };
  /** The longest lane of the longest group gives way, so that no client fills the queue before the others; of equals the newcomer. */
  const refuseTooMuch = (newest: Lane): void => {
    if (load().waiting <= limits.waiting) return;
    const { group } = longestOf([newest, ...lanes], (lane) => waitingOf(lane.group));
    const ofGroup = [newest, ...lanes].filter((lane) => lane.group === group);
    longestOf(ofGroup, (lane) => lane.waiting.length).waiting.pop()?.(serviceBusy());
  };

  return {
    load,
    run: async (client, call, work) => {
      call.gone.throwIfAborted();
      const lane = laneOf(client);
      const turn = waitForTurn(lane, call);
      startNext();
      refuseTooMuch(lane);
      await turn;
      try {
        return await work();
      } finally {
        lane.running -= 1;
        toEnd(lane);
        startNext();
      }
    },
  };
}

/** The networks of one IPv6 /32 are one group; an IPv4 address is a group by itself. */
const groupOf = (client: string): string => client.replace(/^([^:]+:[^:]+):[^:]+::\/48$/, '$1::/32');

/** Of equals the first. */
function longestOf(lanes: readonly Lane[], length: (lane: Lane) => number): Lane {
  return lanes.reduce((longest, lane) => (length(lane) > length(longest) ? lane : longest));
}

function waitForTurn({ waiting }: Lane, { gone, arrived }: WaitingCall): Promise<void> {
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
      arrived + latestTurn - performance.now(),
    );
    gone.addEventListener('abort', hangUp);
    waiting.push(end);
  });
}
