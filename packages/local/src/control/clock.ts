/** The time of an environment: that of the given clock, moved forward by tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Moves it forward. @param ms milliseconds */
  readonly advance: (ms: number) => void;
  /** Back to the given clock. */
  readonly reset: () => void;
}

/** @param base milliseconds since 1970 */
export function createClock(base: () => number = Date.now): Clock {
  let advanced = 0;
  return {
    now: () => base() + advanced,
    advance: (ms) => {
      advanced += ms;
    },
    reset: () => {
      advanced = 0;
    },
  };
}
