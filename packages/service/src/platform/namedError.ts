/** What a variable or another name stands for cannot be used. The message begins with the name; `cause` is the reason. */
export class NamedError extends Error {
  override readonly name = 'NamedError';
  /** That of the cause, such as `EADDRINUSE`. */
  readonly code?: unknown;

  constructor(what: string, cause: unknown) {
    super(`${what}: ${reasonOf(cause)}`, { cause });
    if (cause instanceof Error && 'code' in cause) this.code = cause.code;
  }
}

/** Does some work. @throws NamedError, or the error of the work if that begins with the name. */
export async function naming<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith(what)) throw error;
    throw new NamedError(what, error);
  }
}

/** Node.js tries each address of a host, and gives the error of all of them no text. */
function reasonOf(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  return first instanceof Error ? first.message : 'unknown';
}
