import type { Logger } from '../settings/options.ts';
import { machineTime } from './databaseTime.ts';

/** Why nothing can be done: the database does not respond, or the clock of this machine is not that of the database. */
export type Unavailable = 'database' | 'clock';

/** The database is known to be unavailable, or the clocks differ. Nothing was tried, and nothing was changed. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/** What a process knows of its database. */
export interface Availability {
  /** Why nothing should be tried; `null` if nothing is known. Starts a probe if there is a reason, or no recent knowledge. */
  readonly obstacle: () => Unavailable | null;
  /** @throws UnavailableError if there is an obstacle. */
  readonly expect: () => void;
  /** How far the clock of this machine is ahead of the database's, in seconds; 0 if it is not known. */
  readonly clockAheadSeconds: () => number;
  /** A connection was refused or lost. @param since when that began, as `performance.now()`. */
  readonly failed: (since?: number) => void;
  readonly responded: () => void;
  /** A query gets no response. @param since as for `failed`. */
  readonly suspect: (since: number) => void;
  /** @param databaseTime its clock, ms since 1970. @param askedAt `performance.now()` of the question. */
  readonly heard: (databaseTime: number, askedAt: number) => void;
  /** Asks the database, and waits for the outcome. Does not throw. */
  readonly probe: () => Promise<void>;
}

/** A restart or a failover within this time is waited for; then callers are refused at once, in ms. */
export const outageMs = 6_000;
/** The clocks may differ by this much, in ms. */
const clockLimitMs = 300_000;
/** The least time between probes, and how long the knowledge of a probe suffices, in ms. */
const [probePauseMs, knownMs] = [250, 30_000];

/** @param ask opens a connection, reports the time to `heard`, and rejects if the database cannot be used. */
export function createAvailability(ask: () => Promise<void>, logger: Logger): Availability {
  let awaySince: number | null = null;
  /** The clock of the database when it was heard, and half of the time that the response took. */
  let heardLast: { readonly time: number; readonly at: number; readonly tolerance: number } | null = null;
  let told: Unavailable | null = null;
  let probing: Promise<void> | null = null;
  let askedAt = performance.now();

  /** The time since then is measured by a clock that nobody sets, so that a wrong clock is noticed at once. */
  const aheadMs = (): number =>
    heardLast === null ? 0 : machineTime() - heardLast.time - (performance.now() - heardLast.at);
  const known = (): Unavailable | null => {
    if (awaySince !== null && performance.now() - awaySince >= outageMs) return 'database';
    return Math.abs(aheadMs()) > clockLimitMs + (heardLast?.tolerance ?? 0) ? 'clock' : null;
  };
  const tell = (obstacle: Unavailable | null): void => {
    if (obstacle === told) return;
    const aheadSeconds = Math.round(aheadMs() / 1000);
    if (obstacle === 'clock')
      logger.error('stopped: the clock is not that of the database', { aheadSeconds });
    else if (obstacle === 'database') logger.error('stopped: the database does not respond');
    else logger.info('continued', { after: told });
    told = obstacle;
  };
  /** One failure is no outage: a probe tells. */
  const failed = (since = performance.now()): void => {
    const isFirst = awaySince === null;
    awaySince ??= since;
    if (isFirst && probing === null) void probe(since);
  };
  const responded = (): void => {
    awaySince = null;
  };
  const probe = (since?: number): Promise<void> => {
    askedAt = performance.now();
    probing ??= ask()
      .then(responded, () => {
        failed(since);
      })
      .finally(() => {
        probing = null;
      });
    return probing;
  };
  const obstacle = (): Unavailable | null => {
    const found = known();
    tell(found);
    if (performance.now() - askedAt > (found === null ? knownMs : probePauseMs)) void probe();
    return found;
  };
  return {
    obstacle,
    expect: () => {
      const found = obstacle();
      if (found === null) return;
      throw new UnavailableError(
        found === 'database'
          ? 'The database does not respond.'
          : `The clock of this machine differs from the database's by ${String(Math.round(aheadMs() / 1000))} s.`,
      );
    },
    clockAheadSeconds: () => aheadMs() / 1000,
    failed,
    responded,
    suspect: (since) => {
      if (probing === null) void probe(since);
    },
    heard: (time, asked) => {
      const at = performance.now();
      const tolerance = (at - asked) / 2;
      heardLast = { time: time + tolerance, at, tolerance };
      askedAt = at;
    },
    probe: () => probe(),
  };
}
