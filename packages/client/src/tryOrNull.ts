/** The result of `run`; `null`: it threw. */
export function tryOrNull<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}
