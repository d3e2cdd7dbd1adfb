/** @jest-environment node */
import { findPgbouncer } from '../../../scripts/setup/programs.mjs';
import { allOf, ended, openStream } from './support/eventStreams.ts';
import { startPgbouncer } from './support/pgbouncer.ts';
import { newDatabase, withClient } from './support/postgres.ts';
import { ada, startTestService, text } from './support/testService.ts';

jest.setTimeout(60_000);

// Without PgBouncer (apt-get install pgbouncer) they are reported as skipped.
const describeWithPgbouncer = findPgbouncer() === null ? describe.skip : describe;

describeWithPgbouncer('through PgBouncer', () => {
  const closing: (() => Promise<void>)[] = [];
  // Also after a failure: a pooler that goes on keeps the test run open.
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  it('in session mode, two processes sign in, end sessions and announce it, also after the pooler or the connection of announcements ended', async () => {
    const direct = await newDatabase();
    const pooler = await startPgbouncer(direct);
    closing.push(pooler.stop);
    const database = { url: pooler.url };
    const [one, other] = [await startTestService({ database }), await startTestService({ database })];
    closing.push(one.close, other.close);
    const faults = [
      () => Promise.resolve(),
      pooler.restart,
      () =>
        withClient(direct, (client) =>
          client.query(`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'vestibule-listener'`),
        ),
    ];
    await one.write();
    for (const happen of faults) {
      const bearer = text(await one.signIn(), 'token');
      const streams = [await openStream(one, bearer), await openStream(other, bearer)];
      await happen();
      await other.directory.endSessions(ada);
      for (const stream of streams) expect((await allOf(stream)).at(-1)).toBe(ended('ended-elsewhere'));
      expect((await openStream(one, bearer)).status).toBe(401);
    }
  });
});
