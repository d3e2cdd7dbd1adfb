import { once } from 'node:events';
import { connect as connectTo, createServer, type AddressInfo, type Socket } from 'node:net';
import { sql } from 'kysely';
import type { Tables } from '../src/core/database/tables.ts';
import { connect, type Database } from '../src/platform/database/connect.ts';
import { waitForLockWaits } from './support/lockWaits.ts';
import { newDatabase, withClient } from './support/postgres.ts';
import { recordingLogger } from './support/recordingLogger.ts';
import { startTestService, type TestService } from './support/testService.ts';

/** A host with PostgreSQL, reached by TCP. */
type Host = Awaited<ReturnType<typeof hostOf>>;

async function hostOf(url: string) {
  const folder = new URL(url).searchParams.get('host') ?? '';
  const sockets = new Set<Socket>();
  let isSilent = false;
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const onward = connectTo(`${folder}/.s.PGSQL.5432`);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => {
        if (!isSilent) to.write(data);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    /** Simulates a loss of power: nothing responds any more, and no connection is closed. */
    fallSilent: () => {
      isSilent = true;
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('of several servers', () => {
  let url: string;
  let hosts: readonly [Host, Host];
  let watching: Database<Tables>;
  let open: { readonly close: () => Promise<void> }[];
  const urlOf = (start: string): string => `${start}${new URL(url).pathname}`;

  const startOn = async (database: string): Promise<TestService> => {
    const service = await startTestService({ database: { url: database } });
    open.push(service);
    return service;
  };

  beforeEach(async () => {
    open = [];
    url = await newDatabase();
    hosts = [await hostOf(url), await hostOf(url)];
    watching = await connect<Tables>({ url }, recordingLogger().logger);
    open.push(watching);
  });
  afterEach(async () => {
    for (const one of open) await one.close();
    for (const host of hosts) host.close();
  });

  it('one that falls silent during a call is left before nginx gives the call up', async () => {
    const [first, second] = hosts;
    const several = urlOf(`postgres://postgres@${first.address},${second.address}`);
    const service = await startOn(several);
    await service.write();
    expect((await service.signIn()).status).toBe(200);
    expect(second.connections()).toBe(0);

    const start = performance.now();
    const caught = await withClient(url, async (client) => {
      await client.query('begin');
      await client.query('select from users for update');
      const response = service.signIn();
      await waitForLockWaits(watching.db);
      first.fallSilent();
      await client.query('rollback');
      return response;
    });
    expect(performance.now() - start).toBeLessThan(12_000);
    expect(caught.status).toBe(503);
    expect((await service.signIn()).status).toBe(200);
    expect(second.connections()).toBeGreaterThan(0);
  });

  it('one that stops responding is left, with all of its connections', async () => {
    const [first, second] = hosts;
    const several = urlOf(`postgres://postgres@${first.address},${second.address}`);
    const database = await connect<Tables>({ url: several }, recordingLogger().logger);
    open.push(database);
    const read = () => database.db.selectFrom('users').selectAll().execute();
    await Promise.all([read(), read(), read()]);
    expect(database.connections().idle).toBeGreaterThan(1);
    first.fallSilent();
    await expect(read()).rejects.toThrow('the server does not respond');
    expect(await Promise.all([read(), read(), read()])).toEqual([[], [], []]);
  });

  it('one whose name is gone is left', async () => {
    // RFC 6761: no resolver knows such a name.
    const service = await startOn(urlOf(`postgres://postgres@gone.invalid:5432,${hosts[1].address}`));
    expect((await service.get('/health')).status).toBe(200);
  });

  it('each is found next to a password with a comma and an at sign', async () => {
    const [first, second] = hosts;
    first.close();
    const service = await startOn(urlOf(`postgres://postgres:p@a,b@${first.address},${second.address}`));
    expect((await service.get('/health')).status).toBe(200);
  });

  it('none is left, and calls wait longer, while all connections are in use', async () => {
    const [first, second] = hosts;
    const several = urlOf(`postgres://postgres@${first.address},${second.address}`);
    const database = await connect<Tables>({ url: several }, recordingLogger().logger);
    open.push(database);
    const { connections, db } = database;
    let letGo: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const until = async (isReached: () => boolean): Promise<void> => {
      while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    const users = Array.from({ length: 10 }, () => db.connection().execute(() => gone));
    await until(() => connections().total === 10);
    const late = db.selectFrom('users').selectAll().execute();
    await until(() => connections().waiting === 1);
    // The pool has refused it.
    await until(() => connections().waiting === 0);
    letGo();
    expect(await late).toEqual([]);
    await Promise.all(users);
    expect(second.connections()).toBe(0);
  });
});

it('a statement that takes too long costs its own connection, and calls keep the others', async () => {
  const { db, close, connections } = await connect<Tables>(
    { url: await newDatabase() },
    recordingLogger().logger,
  );
  const processOf = async (trx: typeof db) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)).rows[0]?.pid;
  const other = await db.connection().execute(async (slow) => {
    // The limit of statements is off behind a pooler that does not know it.
    await sql`set statement_timeout = 0`.execute(slow);
    const before = await processOf(db);
    const timer = setInterval(() => void processOf(db), 1_000);
    await expect(sql`select pg_sleep(60)`.execute(slow)).rejects.toThrow('the server does not respond');
    clearInterval(timer);
    return before;
  });
  expect(await processOf(db)).toBe(other);
  expect(connections().total).toBe(1);
  await close();
});

it('a database whose host is silent is given up before nginx asks another process (8 s)', async () => {
  const silent = await hostOf(await newDatabase());
  silent.fallSilent();
  const url = `postgres://postgres@${silent.address}/postgres`;
  const begin = performance.now();
  await expect(connect<Tables>({ url }, recordingLogger().logger)).rejects.toThrow('timeout');
  expect(performance.now() - begin).toBeLessThan(7_000);
  silent.close();
});
