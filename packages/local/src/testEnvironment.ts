/**
 * An environment for tests, in a separate process: the production build, a database in memory, journal and faults on.
 *
 *     node --import tsx packages/local/src/testEnvironment.ts '{"service":{"accessTokenSeconds":20}}'
 *
 * The argument holds `TestEnvironmentOptions` as JSON. The first line of output is `{"port":...}` once it runs; it ends
 * with SIGTERM, or when the parent closes its standard input, so that no environment outlives its tests.
 */
import { startEnvironment, type EnvironmentOptions } from './localEnvironment.ts';

/** What a test may ask of its environment. */
export type TestEnvironmentOptions = Pick<
  EnvironmentOptions,
  'port' | 'distFolder' | 'databaseUrl' | 'anyParent' | 'sameSite' | 'devTools' | 'reportsTo' | 'service'
>;

async function run(argument: string): Promise<void> {
  // Of `runEnvironment.ts`, which the compiler has checked.
  const { service, ...given } = JSON.parse(argument) as TestEnvironmentOptions;
  const options: EnvironmentOptions = {
    port: 0,
    ...given,
    mode: 'production',
    journal: true,
    // Every test comes from this machine's one address, and none of them tests how long argon2 takes.
    service: { rateLimit: 'off', passwordHash: { memoryKib: 8192, passes: 1 }, ...service },
    logger: { info: () => undefined, warn: report, error: report },
  };
  const environment = await startEnvironment(options);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    environment.close().then(
      () => process.exit(0),
      (error: unknown) => {
        report(String(error));
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  process.stdin.on('end', stop).on('error', stop).resume();
  console.log(JSON.stringify({ port: environment.port }));
}

function report(event: string, fields?: object): void {
  console.error(event, fields ?? '');
}

run(process.argv[2] ?? '{}').catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
