import { freePorts } from '@vestibule/contract/testing/freePorts';
import { createService } from '../src/index.ts';
import { oldPassword } from './support/links.ts';
import { newDatabase, withClient } from './support/postgres.ts';
import { account, ada, encryptionKey } from './support/testService.ts';
import { environmentOf, minimal, serve, vestibuleProcess } from './support/vestibule.ts';

const aheadSeconds = 500 * 86_400;

/** A clock that is 500 days ahead, from the start or after SIGUSR2, until the next one. */
const clockOf = (from: 'the start' | 'SIGUSR2') => {
  const source = `
    let shift = ${from === 'the start' ? aheadSeconds * 1000 : 0};
    process.on('SIGUSR2', () => { shift = shift === 0 ? ${aheadSeconds * 1000} : 0; });
    const { now } = Date;
    globalThis.Date = class extends Date {
      static now = () => now() + shift;
      constructor(...given) { super(...(given.length === 0 ? [now() + shift] : given)); }
    };`;
  return { NODE_OPTIONS: `--import data:text/javascript;base64,${Buffer.from(source).toString('base64')}` };
};

/** A database with an account. */
async function databaseWithAccount(): Promise<string> {
  const url = await newDatabase();
  const { directory, close } = await createService({
    ...{ database: { url }, encryptionKey, passwordHash: { memoryKib: 1024, passes: 1 } },
    ...{ issuer: minimal.ISSUER, allowedOrigins: [minimal.ALLOWED_ORIGINS] },
  });
  await directory.accounts.upsert(account());
  await close();
  return url;
}

/** What is stored, without the list of statements that were prepared. */
const stored = (url: string): Promise<unknown> =>
  withClient(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
    );
    const all: Record<string, readonly unknown[]> = {};
    for (const { name } of tables.rows)
      all[name] = (await client.query<object>(`select * from "${name}" order by 1`)).rows;
    return all;
  });

const outOfTime = (url: string): Promise<unknown> =>
  withClient(url, (client) =>
    client.query(`
      insert into links (id_hash, kind, api_user, is_magic, created_at, expires_at)
        values ('open', 'secret-key', 'Export', false, now(), now() + interval '7 days');
      insert into outbox_messages (id, channel, kind, body, attempts, created_at, due_at, give_up_at)
        values ('waits', 'mail', 'reset', '', 1, now(), now(), now() + interval '1 day');
      insert into audit_log (at, event, outcome) values (now(), 'sign-in', 'failure');`),
  );

describe('a process whose clock is set 500 days ahead', () => {
  let processes: ReturnType<typeof serve>[] = [];
  const start = (variables: Parameters<typeof serve>[0]) => {
    const service = serve(variables);
    processes.push(service);
    return service;
  };
  afterEach(async () => {
    await Promise.all(processes.map(({ end }) => end('SIGKILL')));
    processes = [];
  });

  it('refuses its calls and removes nothing, says so once, and goes on when its clock is right again', async () => {
    const url = await databaseWithAccount();
    await outOfTime(url);
    const [port = 0, metricsPort = 0] = await freePorts(2);
    const ports = { PORT: String(port), METRICS_PORT: String(metricsPort) };
    const service = start({ ...environmentOf(url), ...ports, ...clockOf('SIGUSR2') });
    await service.until('"event":"listening"');
    const at = (path: string, body?: object) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'Content-Type': 'application/json' },
      });
    const metric = async (name: string): Promise<number> => {
      const scrape = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(scrape)?.[1]);
    };
    const signIn = await at('/auth/v1/token', { username: ada, method: 'basic', password: oldPassword });
    const { refresh } = (await signIn.json()) as { readonly refresh: string };
    expect([signIn.status, await metric('vestibule_ready')]).toEqual([200, 1]);
    expect(Math.abs(await metric('vestibule_clock_ahead_seconds'))).toBeLessThan(60);

    const before = await stored(url);
    service.signal('SIGUSR2');
    while ((await at('/ready')).status !== 503);
    expect(await (await at('/ready')).json()).toEqual({ status: 'clock' });
    const refused = await at('/auth/v1/refresh', { refresh });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5']);
    expect((await at('/.well-known/jwks.json')).status).toBe(200);
    expect(await metric('vestibule_ready')).toBe(0);
    expect(await metric('vestibule_clock_ahead_seconds')).toBeCloseTo(aheadSeconds, -2);
    expect(await stored(url)).toEqual(before);
    const said = service.said().match(/stopped: the clock is not that of the database/g);
    expect(said).toHaveLength(1);

    service.signal('SIGUSR2');
    while ((await at('/ready')).status !== 200);
    expect((await at('/auth/v1/refresh', { refresh })).status).toBe(200);
  });

  it('waits at its start, without housekeeping, and commands say why they do nothing', async () => {
    const url = await databaseWithAccount();
    await outOfTime(url);
    const before = await stored(url);
    const variables = { ...environmentOf(url), ...clockOf('the start') };
    const reason = `The clock of this machine differs from the database's by ${aheadSeconds} s.`;
    const [port = 0] = await freePorts(1);
    const service = start({ ...variables, PORT: String(port) });
    await service.until(reason);
    const command = await vestibuleProcess(variables, ['keys', 'rotate']);
    expect([command.status, command.stdout]).toEqual([1, '']);
    expect(command.stderr).toMatch(new RegExp(`^DATABASE_URL: ${reason}$`, 'm'));
    expect(await stored(url)).toEqual(before);
  });
});
