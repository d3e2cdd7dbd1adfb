import { setTimeout as pause } from 'node:timers/promises';
import { NamedError } from '../namedError.ts';
import { outageMs, UnavailableError } from './availability.ts';

/** Pauses between tries, in milliseconds; doubled up to the second value. */
const [firstPause, longestPause] = [50, 400];

/** The server accepts no writes: it is a standby, or a former primary. */
export class ReadOnlyError extends Error {
  override readonly name = 'ReadOnlyError';
}

/** Whether the server refused a write because it accepts none (`read_only_sql_transaction`). Nothing was changed. */
export const isReadOnly = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25006';

/**
 * Retries the work while the database is unavailable.
 *
 * @param options.isPointless ends the retries if the result is no longer needed.
 * @param options.forMs how long, in milliseconds; by default as long as a call waits, which is not at all when the obstacle is known. One
 * wait ends before a proxy tries another process (8 s), two before the page gives up (15 s).
 */
export async function retryWhileAway<Result>(
  work: () => Promise<Result>,
  {
    isPointless = () => false,
    forMs,
  }: { readonly isPointless?: () => boolean; readonly forMs?: number } = {},
): Promise<Result> {
  const end = performance.now() + (forMs ?? outageMs);
  for (let wait = firstPause; ; wait = Math.min(2 * wait, longestPause)) {
    try {
      return await work();
    } catch (error) {
      const isKnown = error instanceof UnavailableError && forMs === undefined;
      if (!isDatabaseAway(error) || isKnown || isPointless() || performance.now() + wait > end) throw error;
    }
    await pause(wait);
  }
}

/** Whether every connection was in use for too long, which is no sign of an unavailable server. */
export function isPoolFull(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

/** Whether the server has responded that it lacks room or connections, which need not concern those that are open. */
export function isOutOfResources(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^53...$/.test(String(error.code));
}

/** Whether the database is unreachable, has closed the connection, accepts no writes, or has no free connection: a retry may succeed. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof NamedError) return isDatabaseAway(error.cause);
  if (error instanceof UnavailableError || error instanceof ReadOnlyError) return true;
  if (isReadOnly(error) || isPoolFull(error) || isOutOfResources(error)) return true;
  const {
    code = '',
    message = '',
    syscall,
  } = (error ?? {}) as Partial<Readonly<Record<'code' | 'message' | 'syscall', unknown>>>;
  // These errors of node-postgres have no code.
  if (code === '')
    return /^(?:Connection terminated|Client has encountered a connection error)/.test(String(message));
  // A server on this machine whose socket does not exist.
  if (code === 'ENOENT') return syscall === 'connect';
  // PostgreSQL's connection exceptions, shutdown, crash and start; and network errors, including the name lookup of a host that is down.
  return /^(?:08...|57P0[123]|ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(?:HOST|NET)UNREACH|EAI_AGAIN|ENOTFOUND)$/.test(
    String(code),
  );
}
