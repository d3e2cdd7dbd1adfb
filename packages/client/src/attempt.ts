/** The result; `null`: it threw. */
export function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
