// @ts-check
// A PostgreSQL server with accounts, and processes of the built service as in production; what they use of the processor. Linux only.
import { randomBytes } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePorts } from '@vestibule/contract/testing/freePorts';

/** @type {typeof import('@vestibule/service/testing/postgres')} */
const { ownPostgres } = createRequire(import.meta.url)('@vestibule/service/testing/postgres');

const projectFolder = fileURLToPath(new URL('../../../..', import.meta.url));
const program = path.join(projectFolder, 'packages/service/dist/cli/vestibule.js');
/** What the service is compared with. */
const peers = {
  library: fileURLToPath(new URL('./bareProvider.mjs', import.meta.url)),
  betterAuth: fileURLToPath(new URL('./betterAuth.mjs', import.meta.url)),
};
/** The clock ticks of /proc in a second, which are the same on every Linux. */
const clockTicks = 100;

export const password = 'Correct-horse7';
/** @param {number} person */
export const usernameOf = (person) => `person-${person}@bench.example`;

/** @typedef {{ readonly url: string, readonly pid: number, readonly stop: () => Promise<void> }} ServiceNode */

/** @typedef {Awaited<ReturnType<typeof openDeployment>>} TestDeployment */

/**
 * Starts the server as Debian's package does, but for two settings: data survives a power failure, statements are counted.
 *
 * @param {number} accounts - how many, all with one password and its one hash.
 */
export async function openDeployment(accounts) {
  const server = await ownPostgres(['listen_addresses=', 'shared_preload_libraries=pg_stat_statements']);
  try {
    return await deploymentOn(server, accounts);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** @param {Awaited<ReturnType<typeof ownPostgres>>} server @param {number} accounts */
async function deploymentOn(server, accounts) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-bench-'));
  const url = new URL(server.url);
  url.pathname = '/vestibule';
  const environment = environmentOf(url.href);
  await withClient(server.url, (client) => client.query('create database vestibule'));
  await fill(url.href, environment, accounts);
  // In a separate database, so that queries of the bench are not counted with those of the service.
  const observer = new pg.Client({ connectionString: server.url });
  await observer.connect();
  await observer.query('create extension pg_stat_statements');
  const postmaster = parentOf(await backendOf(observer));
  const ownClient = new pg.Client({ connectionString: url.href });
  await ownClient.connect();

  return {
    storedHash: await storedHash(url.href),
    version: await settingOf(observer, 'server_version'),
    /**
     * @param {number} count
     * @param {string | null} profiles - a folder for profiles of the processor
     * @param {Readonly<Record<string, string>>} [more] - variables
     */
    startNodes: (count, profiles, more = {}) => {
      // As docs/operations.md advises where processes share a machine.
      const hashes = Math.min(3, Math.max(1, Math.floor(availableParallelism() / count)));
      const shared = count === 1 ? {} : { HASHES_AT_ONCE: String(hashes) };
      const own = { ...environment, ...shared, ...more };
      return Promise.all(
        Array.from({ length: count }, () => startNode([program, 'serve'], own, folder, profiles)),
      );
    },
    /** On the same database. @param {keyof typeof peers} peer @param {string | null} profiles @param {object} client - of which it is told */
    startPeer: (peer, profiles, client) =>
      startNode([peers[peer], url.href, JSON.stringify(client)], environment, folder, profiles),
    /** Seconds of processor time that the database has used. */
    databaseSeconds: () =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .filter((pid) => pid === postmaster || parentOf(pid) === postmaster)
        // The time of ended children is part of the parent's.
        .reduce((sum, pid) => sum + processorSeconds(pid, pid === postmaster), 0),
    /** @param {string} statement @param {readonly string[]} values */
    query: (statement, values) => ownClient.query(statement, [...values]),
    forgetStatements: () => observer.query('select pg_stat_statements_reset()'),
    /** What the service has asked since then: each is one round trip. */
    statements: () => statementsOf(observer),
    close: async () => {
      await observer.end();
      await ownClient.end();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param {string} databaseUrl @returns {Record<string, string>} */
function environmentOf(databaseUrl) {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ISSUER: 'http://api.localhost',
    ALLOWED_ORIGINS: 'http://login.localhost',
    TRUSTED_PROXIES: '127.0.0.1',
    // Counted as in production, and never reached: people who sign in every few seconds have no place in the defaults.
    REQUESTS_PER_MINUTE: '1000000',
    TOKEN_CALLS_PER_MINUTE: '1000000',
    METHOD_CALLS_PER_MINUTE: '1000000',
    // An event stream ends with its token, which must outlive the measurement also on a busy machine.
    ACCESS_TOKEN_SECONDS: '86400',
  };
}

/**
 * Creates one account by the command line, and copies of it, because a hash for each would take longer than the bench.
 *
 * @param {string} url
 * @param {Record<string, string>} environment
 * @param {number} accounts
 */
async function fill(url, environment, accounts) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      ...[program, 'accounts', 'create', usernameOf(0), '--first-name', 'Ada', '--last-name', 'Lovelace'],
      ...['--application', 'ledger=https://ledger.apps.example.com/', '--password-stdin'],
    ],
    { env: environment, input: password, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The account was not created: ${stderr}`);
  await withClient(url, async (client) => {
    await client.query(
      `insert into users (uid, username, username_key, email, first_name, last_name, password_hash, personas, must_set_up_mfa, created_at)
       select gen_random_uuid()::text, name, name, name, first_name, last_name, password_hash, personas, must_set_up_mfa, created_at
       from users, generate_series(1, $1::int) as person, lateral (select format('person-%s@bench.example', person) as name) as named`,
      [accounts - 1],
    );
    await client.query(
      `insert into login_methods (uid, position, method) select uid, 0, 'basic' from users on conflict do nothing`,
    );
    await client.query('vacuum analyze');
  });
}

/** @param {string} url @returns {Promise<string>} */
async function storedHash(url) {
  return withClient(url, async (client) => {
    const { rows } = await client.query('select password_hash from users limit 1');
    return rows[0].password_hash;
  });
}

/**
 * @param {readonly string[]} args - of Node.js
 * @param {Record<string, string>} environment
 * @param {string} folder - for its log, which is read where it fails
 * @param {string | null} profiles
 * @returns {Promise<ServiceNode>}
 */
async function startNode(args, environment, folder, profiles) {
  const [port = 0] = await freePorts(1);
  const log = path.join(folder, `${port}.log`);
  const profiling = profiles === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const node = spawn(process.execPath, [...profiling, ...args], {
    env: { ...environment, PORT: String(port), DRAIN_SECONDS: '0' },
    stdio: ['ignore', openSync(log, 'w'), 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (node.exitCode !== null) throw new Error(`The service did not start:\n${readFileSync(log, 'utf8')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    pid: node.pid ?? 0,
    stop: async () => {
      const gone = once(node, 'exit');
      node.kill('SIGTERM');
      await gone;
    },
  };
}

/** @param {string} url */
async function isReady(url) {
  try {
    return (await fetch(`${url}/ready`)).ok;
  } catch {
    return false;
  }
}

/** @typedef {{ readonly query: string, readonly calls: number, readonly milliseconds: number }} Statement */

/** @param {import('pg').Client} observer @returns {Promise<Statement[]>} */
async function statementsOf(observer) {
  const { rows } = await observer.query(
    `select query, calls::int, total_exec_time as milliseconds from pg_stat_statements
     where dbid = (select oid from pg_database where datname = 'vestibule') order by total_exec_time desc`,
  );
  return rows;
}

/** @param {import('pg').Client} client @returns {Promise<number>} */
async function backendOf(client) {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  return rows[0].pid;
}

/** @param {import('pg').Client} client @param {string} name @returns {Promise<string>} */
async function settingOf(client, name) {
  const { rows } = await client.query('select current_setting($1) as value', [name]);
  return rows[0].value;
}

/**
 * @template Result
 * @param {string} url
 * @param {(client: import('pg').Client) => Promise<Result>} work
 */
async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Processor time of a process, user and system, with all its threads.
 *
 * @param {number} pid
 * @param {boolean} [withEnded] - also of its children that have ended
 */
export function processorSeconds(pid, withEnded = false) {
  const ticks = statOf(pid).slice(11, withEnded ? 15 : 13);
  return ticks.reduce((sum, count) => sum + Number(count), 0) / clockTicks;
}

/** Resident memory at its highest, in MB (1,000,000 bytes). @param {number} pid */
export const peakMegabytes = (pid) => megabytesOf(pid, /^VmHWM:\s+(\d+)/m);

/** Resident memory, in MB (1,000,000 bytes). @param {number} pid */
export const residentMegabytes = (pid) => megabytesOf(pid, /^VmRSS:\s+(\d+)/m);

/** @param {number} pid @param {RegExp} line */
function megabytesOf(pid, line) {
  const [, kibibytes = '0'] = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / 1_000_000;
}

/** @param {number} pid */
function parentOf(pid) {
  return Number(statOf(pid)[1]);
}

/** The fields of /proc/PID/stat behind the name, which may hold spaces; none of a process that has just ended. @param {number} pid @returns {string[]} */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
