import { serviceBusy } from '../errors';
import type { PasswordHashOptions } from '../settings/options';

/** Gives work that costs a hash its turn: a few at once, the clients one after the other. */
export interface HashQueue {
  /**
   * @param client see `networkOf`. However much one sends, another waits for one turn of each.
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

  const laneOf = (client: string): Lane => {
    lanes = lanes.filter((lane) => lane.running > 0 || lane.waiting.length > 0);
    const known = lanes.find((lane) => lane.client === client);
    if (known !== undefined) return known;
    const lane: Lane = { client, running: 0, waiting: [] };
    lanes.push(lane);
    return lane;
  };
  const toEnd = (moved: Lane): void => {
    lanes = [...lanes.filter((lane) => lane !== moved), moved];
  };
  const load = () => ({
    running: lanes.reduce((sum, { running }) => sum + running, 0),
    waiting: lanes.reduce((sum, { waiting }) => sum + waiting.length, 0),
  });
  const startNext = (): void => {
    if (load().running >= turns) return;
    const next = lanes.find((lane) => lane.waiting.length > 0 && lane.running < atOncePerLane);
    if (next === undefined) return;
    next.running += 1;
    next.waiting.shift()?.();
    toEnd(next);
  };
  /** The longest lane gives way, so that one client cannot fill the queue before the others; of equals the newcomer. */
  const refuseTooMuch = (newest: Lane): void => {
    if (load().waiting <= limits.waiting) return;
    const longest = lanes.reduce((a, b) => (b.waiting.length > a.waiting.length ? b : a), newest);
    longest.waiting.pop()?.(serviceBusy());
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
