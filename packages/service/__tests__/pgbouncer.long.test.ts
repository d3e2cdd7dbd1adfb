/** @jest-environment node */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPgbouncer } from '../../../scripts/setup/programs.mjs';
import { machineFindings } from '../src/cli/doctor/machineChecks.ts';
import { allOf, ended, openStream } from './support/eventStreams.ts';
import { startPgbouncer } from './support/pgbouncer.ts';
import { newDatabase, ownPostgres, withClient } from './support/postgres.ts';
import { ada, encryptionKey, issuer, loginOrigin, startTestService, text } from './support/testService.ts';
import { vestibuleProcess } from './support/vestibule.ts';

// Servers and processes are started; on a busy machine that takes a while. The limit only ends what hangs.
jest.setTimeout(180_000);

type Server = Awaited<ReturnType<typeof ownPostgres>>;

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
      await other.directory.accounts.endSessions(ada);
      for (const stream of streams) expect((await allOf(stream)).at(-1)).toBe(ended('ended-elsewhere'));
      expect((await openStream(one, bearer)).status).toBe(401);
    }
    expect(await databaseFindings(pooler.url)).toMatchObject([{ outcome: 'ok' }]);
  });

  describe.each([
    {
      primary: 'has ended',
      fail: ({ stop }: Server) => stop(),
    },
    {
      primary: 'accepts no more writes and keeps its connections open',
      fail: ({ url }: Server) =>
        withClient(url, async (client) => {
          await client.query('alter system set default_transaction_read_only = on');
          await client.query('select pg_reload_conf()');
        }),
    },
  ])('in session mode, after the primary $primary and its standby was promoted,', ({ fail }) => {
    it('sessions and sign-ins go on, and announcements arrive', async () => {
      const primary = await ownPostgres(['listen_addresses=', 'fsync=off', 'synchronous_standby_names=*']);
      closing.push(primary.stop);
      const standby = await ownPostgres(undefined, primary.url);
      closing.push(standby.stop);
      const pooler = await startPgbouncer(primary.url);
      closing.push(pooler.stop);
      const service = await startTestService({ database: { url: pooler.url } });
      closing.push(service.close);
      await service.write();
      const bearer = text(await service.signIn(), 'token');
      let refreshTokens: string[] = [];
      for (let count = 0; count < 5; count += 1) refreshTokens.push(text(await service.signIn(), 'refresh'));
      const stream = await openStream(service, bearer);
      const refreshAll = async (): Promise<void> => {
        const refreshed = await Promise.all(refreshTokens.map((token) => service.refresh(token)));
        expect(refreshed.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
        refreshTokens = refreshed.map((response) => text(response, 'refresh'));
      };
      // In parallel, so that several connections of the pool are open when the primary fails.
      await refreshAll();

      await fail(primary);
      pooler.pointTo(standby.url);
      await withClient(standby.url, (client) => client.query('select pg_promote()'));
      await refreshAll();
      expect((await service.signIn()).status).toBe(200);
      await service.directory.accounts.endSessions(ada);
      expect((await allOf(stream)).at(-1)).toBe(ended('ended-elsewhere'));
      expect((await openStream(service, bearer)).status).toBe(401);
    });
  });

  it.each(['transaction', 'statement'] as const)(
    'in %s mode, a process does not start, and the doctor reports it',
    async (mode) => {
      const pooler = await startPgbouncer(await newDatabase(), mode);
      closing.push(pooler.stop);
      const problem =
        'DATABASE_URL leads to a connection pooler in transaction mode, which loses announcements and locks: set it to session mode.';
      const variables = { DATABASE_URL: pooler.url, ENCRYPTION_KEY: encryptionKey, ISSUER: issuer };
      const { stdout, status } = await vestibuleProcess({ ...variables, ALLOWED_ORIGINS: loginOrigin }, [
        'serve',
      ]);
      expect([status, JSON.parse(stdout)]).toMatchObject([1, { event: 'start failed', reason: problem }]);
      expect(await databaseFindings(pooler.url)).toMatchObject([{ outcome: 'wrong', problem }]);
    },
  );

  const databaseFindings = async (url: string) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-doctor-'));
    closing.push(() => {
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    });
    const file = path.join(folder, 'database-url');
    writeFileSync(file, `${url}\n`);
    const findings = await machineFindings({ environment: { DATABASE_URL_FILE: file } });
    return findings.filter(({ check }) => check === 'database');
  };
});
