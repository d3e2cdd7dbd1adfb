import { sharePostgres } from './postgres.ts';

/** Starts the PostgreSQL server that all tests of the service share, before the first of them; both runners call what it returns at the end. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const stop = await sharePostgres();
  Object.assign(globalThis, { stopPostgres: stop });
  return stop;
}
