/** Random numbers that are the same every time. */
export interface Seeded {
  /** In [0, 1). */
  readonly next: () => number;
  readonly between: (min: number, max: number) => number;
  /** True with this probability. */
  readonly happens: (often: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
}

/** Mulberry32: small, and good enough for a plan of faults. */
export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (min, max) => min + next() * (max - min),
    happens: (often) => next() < often,
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('Nothing to pick from');
      return item;
    },
  };
}
