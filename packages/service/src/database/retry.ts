import { setTimeout as pause } from 'node:timers/promises';

/**
 * How long a call waits for a database that is away, in milliseconds: it restarts, or a standby takes its place. One wait ends before
 * nginx asks another process (8 s), two before the page gives up (15 s).
 */
const retryForMs = 6_000;
/** Between tries; doubled up to the second. */
const [firstPause, longestPause] = [50, 400];

/** A server that was reached, and takes no writes. */
export class StandbyError extends Error {
  override readonly name = 'StandbyError';
}

/**
 * Does the work again while the database cannot be reached.
 *
 * @param isPointless ends the retries: nobody waits for the result any more
 */
export async function retryWhileAway<Result>(
  work: () => Promise<Result>,
  isPointless: () => boolean = () => false,
): Promise<Result> {
  const end = performance.now() + retryForMs;
  for (let wait = firstPause; ; wait = Math.min(2 * wait, longestPause)) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error) || isPointless() || performance.now() + wait > end) throw error;
    }
    await pause(wait);
  }
}

/** Whether every connection was in use for too long, which says nothing of the server. */
export function isPoolFull(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

/** Whether the database cannot be reached, has cut the connection, or has no free connection: the same work may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof StandbyError || isPoolFull(error)) return true;
  const {
    code = '',
    message = '',
    syscall,
  } = (error ?? {}) as Partial<Readonly<Record<'code' | 'message' | 'syscall', unknown>>>;
  // node-postgres gives these no code.
  if (code === '')
    return /^(?:Connection terminated|Client has encountered a connection error)/.test(String(message));
  // Of a server on this machine that is not there: its socket.
  if (code === 'ENOENT') return syscall === 'connect';
  // Of PostgreSQL: connection exceptions, insufficient resources (disk, connections), shutdown, crash, start. And of the network; the name
  // of a host that is gone may be gone as well.
  return /^(?:(?:08|53)...|57P0[123]|ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(?:HOST|NET)UNREACH|EAI_AGAIN|ENOTFOUND)$/.test(
    String(code),
  );
}
