import { randomBytes } from 'node:crypto';
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Kysely, PostgresDialect } from 'kysely';
import { Client, Pool } from 'pg';
import { findPostgres } from '../../../../scripts/setup/programs.mjs';
import { migrateToLatest } from '../../src/platform/database/migrate.ts';
import type { Tables } from '../../src/core/database/tables.ts';
import { migrations } from '../../src/slots.ts';

const run = promisify(execFile);

/** Where a run tells its tests how to reach the shared server. */
const sharedServer = 'TEST_POSTGRES_URL';

/** No data of a test has to survive a power failure. */
const forTests = [
  'listen_addresses=',
  'max_connections=300',
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
];

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** What the names of a run's databases begin with. */
const runPrefix = 'TEST_POSTGRES_PREFIX';

const databaseNamed = (name: string): string => `${process.env[runPrefix] ?? 'test'}_${name}`;

/** Has the service's tables: a copy of it costs a fraction of the migrations. */
const template = (): string => databaseNamed('tables');

/** A database on the shared server, with the service's tables, which are empty. @returns its connection string. */
export const newDatabase = (): Promise<string> => createDatabase(template());

/**
 * The same without tables, for tests of migrations.
 *
 * @param locale another one than the server's, as `create database` takes it.
 */
export const emptyDatabase = (locale?: string): Promise<string> =>
  createDatabase(locale === undefined ? 'template1' : `template0 ${locale}`);

/** Removes a database of `newDatabase`, and cuts its connections. */
export async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await withClient(addressOf(url, 'postgres'), (client) =>
    client.query(`drop database ${name} with (force)`),
  );
}

async function createDatabase(source: string): Promise<string> {
  const url = process.env[sharedServer];
  if (url === undefined) throw new Error('This run started no PostgreSQL server (sharePostgres).');
  const name = databaseNamed(randomBytes(8).toString('hex'));
  await withClient(url, (client) =>
    client.query(`create database ${name} template ${source} strategy file_copy`),
  );
  return addressOf(url, name);
}

/** Starts the server that all tests of a run share, or takes that of `TEST_POSTGRES_URL`. @returns how to stop it. */
export async function sharePostgres(): Promise<() => Promise<void>> {
  const given = process.env[sharedServer];
  const { url, stop } =
    given === undefined ? await ownPostgres() : { url: given, stop: () => dropAll(given) };
  process.env[sharedServer] = url;
  process.env[runPrefix] = `test_${randomBytes(4).toString('hex')}`;
  await withClient(url, (client) => client.query(`create database ${template()}`));
  const pool = new Pool({ connectionString: addressOf(url, template()) });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await migrateToLatest(db, migrations);
  await db.destroy();
  return stop;
}

/** Removes the databases of this run from a server that goes on. */
async function dropAll(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [databaseNamed('')],
    );
    for (const { name } of rows) await client.query(`drop database ${name} with (force)`);
  });
}

function addressOf(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

interface OwnPostgres {
  readonly url: string;
  readonly stop: () => Promise<void>;
  readonly crash: () => Promise<void>;
  readonly restart: () => Promise<void>;
  /** It accepts connections and never responds, until `thaw`. */
  readonly freeze: () => void;
  readonly thaw: () => void;
}

/**
 * A separate server, for a test that stops it; `stop` may be called twice. `crash` ends it at once, and `restart` starts it again with
 * its data.
 *
 * @param settings `name=value` as in `postgresql.conf`.
 * @param primary the connection string of a server whose standby this one is.
 * @throws Error when no PostgreSQL is installed.
 */
export async function ownPostgres(
  settings: readonly string[] = forTests,
  primary?: string,
): Promise<OwnPostgres> {
  const binaries = postgresBinaries();
  const owner = ownerOfServer();
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-postgres-'));
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  // macOS has no C.UTF-8.
  const locale = {
    LC_ALL: process.platform === 'linux' ? 'C.UTF-8' : 'en_US.UTF-8',
    PATH: process.env['PATH'],
  };
  const [program, ...args] =
    primary === undefined
      ? ['initdb', '--auth', 'trust', '--username', 'postgres', '--encoding', 'UTF8', '--no-sync']
      : ['pg_basebackup', '--write-recovery-conf', '--checkpoint', 'fast', '--no-sync', '--dbname', primary];
  await run(join(binaries, program), [...args, '--pgdata', data], { ...owner, cwd: folder, env: locale });
  const urlOf = (database: string): string =>
    `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`;
  let server: ChildProcess;
  const restart = async (): Promise<void> => {
    server = spawn(
      join(binaries, 'postgres'),
      ['-D', data, '-k', folder, ...settings.flatMap((setting) => ['-c', setting])],
      { ...owner, cwd: folder, env: locale, stdio: 'ignore' },
    );
    await untilReady(server, urlOf('postgres'));
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await gone;
  };
  const killWithUs = (): void => {
    server.kill('SIGQUIT');
  };
  process.once('exit', killWithUs);
  await restart();

  const stop = async (): Promise<void> => {
    process.off('exit', killWithUs);
    await end('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  };
  let stopping: Promise<void> | undefined;
  const crash = () => end('SIGQUIT');
  const signalAll = (signal: NodeJS.Signals) => (): void => {
    server.kill(signal);
    const children = execFileSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' });
    for (const pid of children.trim().split('\n')) process.kill(Number(pid), signal);
  };
  return {
    ...{ url: urlOf('postgres'), stop: () => (stopping ??= stop()), crash, restart },
    ...{ freeze: signalAll('SIGSTOP'), thaw: signalAll('SIGCONT') },
  };
}

/** Runs a function with its own connection. */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The folder of the programs of PostgreSQL. @throws Error when there is none. */
export function postgresBinaries(): string {
  const found = findPostgres();
  if (found === null) throw new Error('PostgreSQL is missing: apt-get install postgresql');
  return found;
}

/** PostgreSQL refuses to run as root; Debian's package brings the user postgres. */
export function ownerOfServer(): Owner {
  if (process.getuid?.() !== 0) return {};
  const numberOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: numberOf('-u'), gid: numberOf('-g') };
}

/** The server does not report when it is ready, so it is polled until it answers or exits. */
async function untilReady(server: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with code ${server.exitCode}.`);
    try {
      await withClient(url, (client) => client.query('select 1'));
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
