/**
 * An environment for tests, in a separate process: the production build, a database in memory, journal and faults on.
 *
 *     node --import tsx packages/local/src/testEnvironment.ts '{"service":{"accessTokenSeconds":20}}'
 *
 * The argument holds `LocalEnvironmentOptions` as JSON. The first line of output is `{"port":...}` once it runs; it ends
 * with SIGTERM, or when the parent closes its standard input, so that no environment outlives its tests.
 */
import { createLocalEnvironment, type LocalEnvironmentOptions } from './createLocalEnvironment.ts';

async function run(argument: string): Promise<void> {
  // The compiler has checked these options in `runEnvironment.ts`.
  const options = JSON.parse(argument) as LocalEnvironmentOptions;
  const logger = { info: () => undefined, warn: report, error: report };
  const environment = await createLocalEnvironment({ ...options, logger });
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
