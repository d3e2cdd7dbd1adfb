import { sql, type RawBuilder } from 'kysely';

/** The clock of this machine, in milliseconds since 1970. Tests that replace `Date.now` for a library do not move it. */
export const machineTime = Date.now;

/**
 * The time of the database, for statements that remove what has expired: one machine with a wrong clock removes nothing. Tests and the
 * local environment set the clock of the service ahead on purpose, and this time by as much.
 *
 * @param now the clock of the service, in milliseconds since 1970.
 * @param agoMilliseconds how long before it.
 */
export function databaseTime(now: () => number, agoMilliseconds = 0): RawBuilder<Date> {
  const seconds = (now() - machineTime() - agoMilliseconds) / 1000;
  return sql<Date>`now() + make_interval(secs => ${seconds})`;
}
