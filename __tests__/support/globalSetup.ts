import { sharePostgres } from '../service/support/postgres';

/** Before the first test that needs a service: the PostgreSQL server that all of them share; both runners take what it answers. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const stop = await sharePostgres();
  Object.assign(globalThis, { stopPostgres: stop });
  return stop;
}
