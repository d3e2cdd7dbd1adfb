import {
  startEnvironment,
  type RunningEnvironment,
  type EnvironmentOptions,
} from '../../src/localEnvironment.ts';
import { newDatabase } from '@vestibule/service/testing/postgres';

/** An environment on a free port, with an empty database, cheap hashes and no limits per address. */
export async function startQuickEnvironment({
  service,
  ...options
}: Partial<EnvironmentOptions> = {}): Promise<RunningEnvironment> {
  return await startEnvironment({
    port: 0,
    databaseUrl: await newDatabase(),
    ...options,
    service: { rateLimit: 'off', passwordHash: { memoryKib: 64, passes: 1 }, ...service },
  });
}
