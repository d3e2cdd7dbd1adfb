/**
 * A world for tests, in a process of its own: the production build, a database in memory, journal and faults on.
 *
 *     node --import tsx local/testWorld.ts '{"service":{"accessTokenSeconds":20}}'
 *
 * The argument holds the options below as JSON. The first line of output is `{"port":...}` once it runs; it ends
 * with SIGTERM, or when the parent closes its standard input, so that no world outlives its tests.
 */
import * as v from 'valibot';
import { startWorld, type WorldOptions } from './world';

const optionsSchema = v.strictObject({
  port: v.optional(v.number(), 0),
  distFolder: v.exactOptional(v.string()),
  databaseUrl: v.exactOptional(v.string()),
  anyParent: v.exactOptional(v.boolean()),
  sameSite: v.exactOptional(v.picklist(['Lax', 'None'])),
  service: v.optional(
    v.strictObject({
      accessTokenSeconds: v.exactOptional(v.number()),
      refreshTokenSeconds: v.exactOptional(v.number()),
      refreshGraceSeconds: v.exactOptional(v.number()),
      setupTokenSeconds: v.exactOptional(v.number()),
      challengeSeconds: v.exactOptional(v.number()),
      textCodeSeconds: v.exactOptional(v.number()),
      enrolmentSeconds: v.exactOptional(v.number()),
      verificationSeconds: v.exactOptional(v.number()),
      trustedDeviceSeconds: v.exactOptional(v.number()),
      textLimits: v.exactOptional(
        v.strictObject({
          signInsPerUser: v.exactOptional(v.number()),
          setUpsPerUser: v.exactOptional(v.number()),
          setUpsPerPhone: v.exactOptional(v.number()),
          windowSeconds: v.exactOptional(v.number()),
        }),
      ),
      links: v.exactOptional(
        v.strictObject({
          resetSeconds: v.exactOptional(v.number()),
          invitationSeconds: v.exactOptional(v.number()),
          magicLinkSeconds: v.exactOptional(v.number()),
        }),
      ),
      lockout: v.exactOptional(
        v.strictObject({
          attempts: v.exactOptional(v.number()),
          windowSeconds: v.exactOptional(v.number()),
          lockSeconds: v.exactOptional(v.number()),
        }),
      ),
    }),
    {},
  ),
});

/** What a test may ask of its world. */
export type TestWorldOptions = v.InferInput<typeof optionsSchema>;

async function run(argument: string): Promise<void> {
  const input: unknown = JSON.parse(argument);
  const { service, ...given } = v.parse(optionsSchema, input);
  const options: WorldOptions = {
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
