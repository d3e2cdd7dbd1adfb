/**
 * A world for one worker, in a process of its own: started with its options as one JSON argument, it writes
 * `{"port":…}` on a line when it stands and ends when its standard input does, so that it never outlives the tests.
 */
import * as v from 'valibot';
import type { Logger } from '../../../service/index';
import { startWorld } from '../../../local/world';

const optionsSchema = v.object({
  distFolder: v.string(),
  service: v.object({ accessTokenSeconds: v.optional(v.number()) }),
});

/** Everything that the world has to complain about ends up in the test's own output. */
const logger: Logger = {
  info: () => undefined,
  warn: (event, fields) => {
    console.error(event, fields ?? '');
  },
  error: (event, fields) => {
    console.error(event, fields ?? '');
  },
};

async function run(argument: string): Promise<void> {
  const { distFolder, service } = v.parse(optionsSchema, JSON.parse(argument));
  const { accessTokenSeconds } = service;
  const world = await startWorld({
    port: 0,
    mode: 'production',
    distFolder,
    journal: true,
    logger,
    service: {
      // The journeys hurry through more sign-ins in a minute than a person in a month.
      rateLimit: 'off',
      passwordHash: { memoryKib: 256, passes: 1 },
      ...(accessTokenSeconds === undefined ? {} : { accessTokenSeconds }),
    },
  });
  process.stdin.resume();
  process.stdin.once('end', () => {
    void world.close().finally(() => process.exit(0));
  });
  process.stdout.write(`${JSON.stringify({ port: world.port })}\n`);
}

run(process.argv[2] ?? '{}').catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
