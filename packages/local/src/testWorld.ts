/**
 * A world for tests, in a process of its own: the production build, a database in memory, journal and faults on.
 *
 *     node --import tsx packages/local/src/testWorld.ts '{"service":{"accessTokenSeconds":20}}'
 *
 * The argument holds `TestWorldOptions` as JSON. The first line of output is `{"port":...}` once it runs; it ends
 * with SIGTERM, or when the parent closes its standard input, so that no world outlives its tests.
 */
import { startWorld, type WorldOptions } from './world.ts';

/** What a test may ask of its world. */
export type TestWorldOptions = Pick<
  WorldOptions,
  'port' | 'distFolder' | 'databaseUrl' | 'anyParent' | 'sameSite' | 'devTools' | 'reportsTo' | 'service'
>;

async function run(argument: string): Promise<void> {
  // Of `runWorld.ts`, which the compiler has checked.
  const { service, ...given } = JSON.parse(argument) as TestWorldOptions;
  const options: WorldOptions = {
    port: 0,
    ...given,
    mode: 'production',
    journal: true,
    // Every test comes from this machine's one address, and none of them tests how long argon2 takes.
    service: { rateLimit: 'off', passwordHash: { memoryKib: 8192, passes: 1 }, ...service },
    logger: { info: () => undefined, warn: report, error: report },
  };
  const world = await startWorld(options);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    world.close().then(
      () => process.exit(0),
      (error: unknown) => {
        report(String(error));
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  process.stdin.on('end', stop).on('error', stop).resume();
  console.log(JSON.stringify({ port: world.port }));
}

function report(event: string, fields?: object): void {
  console.error(event, fields ?? '');
}

run(process.argv[2] ?? '{}').catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
