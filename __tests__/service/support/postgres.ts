import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const installations = '/usr/lib/postgresql';
const run = promisify(execFile);

/** A PostgreSQL server of the tests' own, on a temporary folder and a socket inside it. */
export interface PostgresServer {
  /** Creates an empty database. @returns its connection string. */
  readonly newDatabase: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** @throws when Debian's PostgreSQL is not installed: these tests are never skipped. */
export async function startPostgres(): Promise<PostgresServer> {
  const binaries = findBinaries();
  const owner = ownerOfServer();
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-postgres-'));
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const locale = { LC_ALL: 'C.UTF-8', PATH: process.env['PATH'] };
  await run(
    join(binaries, 'initdb'),
    ['--pgdata', data, '--auth', 'trust', '--username', 'postgres', '--encoding', 'UTF8', '--no-sync'],
    { ...owner, cwd: folder, env: locale },
  );
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=60'],
    { ...owner, cwd: folder, env: locale, stdio: 'ignore' },
  );
  const killWithUs = (): void => {
    server.kill('SIGQUIT');
  };
  process.once('exit', killWithUs);
  const urlOf = (database: string): string =>
    `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`;
  await untilReady(server, urlOf('postgres'));

  let databases = 0;
  return {
    newDatabase: async () => {
      databases += 1;
      const name = `test_${databases}`;
      await withClient(urlOf('postgres'), (client) => client.query(`create database ${name}`));
      return urlOf(name);
    },
    stop: async () => {
      process.off('exit', killWithUs);
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs something on a connection of its own. */
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

function findBinaries(): string {
  const versions = existsSync(installations) ? readdirSync(installations) : [];
  const newest = versions
    .map(Number)
    .filter((version) => existsSync(join(installations, String(version), 'bin', 'initdb')))
    .sort((one, other) => other - one)[0];
  if (newest === undefined) {
    throw new Error("PostgreSQL is missing. Install Debian's package: apt-get install postgresql");
  }
  return join(installations, String(newest), 'bin');
}

/** PostgreSQL refuses to run as root; Debian's package brings the user postgres. */
function ownerOfServer(): Owner {
  if (process.getuid?.() !== 0) return {};
  const numberOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: numberOf('-u'), gid: numberOf('-g') };
}

/** The server says nothing when it is ready, so it is asked until it answers; its end is the end of asking. */
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
