import { startWorld, type RunningWorld, type WorldOptions } from '../../src/world.ts';
import { newDatabase } from '@vestibule/service/testing/postgres';

/** A world on a free port, with an empty database, cheap hashes and no limits per address. */
export async function startQuickWorld({
  service,
  ...options
}: Partial<WorldOptions> = {}): Promise<RunningWorld> {
  return await startWorld({
    mode: 'production',
    port: 0,
    databaseUrl: await newDatabase(),
    ...options,
    service: { rateLimit: 'off', passwordHash: { memoryKib: 64, passes: 1 }, ...service },
  });
}
