import { isNativeError } from 'node:util/types';

/** What a variable or another name stands for cannot be used. The message begins with the name; `cause` is the reason. */
export class NamedError extends Error {
  override readonly name = 'NamedError';
  /** That of the cause, such as `EADDRINUSE`. */
  readonly code?: unknown;

  constructor(what: string, cause: unknown) {
    super(`${what}: ${reasonOf(cause)}`, { cause });
    if (isNativeError(cause) && 'code' in cause) this.code = cause.code;
  }
}

/** Does some work. @throws NamedError, or the error of the work if that begins with the name. */
export async function naming<Result>(what: string, work: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isNativeError(error) && error.message.startsWith(what)) throw error;
    throw new NamedError(what, error);
  }
}

/** The text of an error. Node.js tries each address of a host, and gives the error of all of them no text. */
export function reasonOf(error: unknown): string {
  if (!isNativeError(error)) return 'unknown';
  const [first = error] = 'errors' in error ? (error.errors as readonly unknown[]) : [];
  return isNativeError(first) ? first.message : error.message;
}
