/** The result of `run`, or `null` if it throws. */
export function tryOrNull<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}
