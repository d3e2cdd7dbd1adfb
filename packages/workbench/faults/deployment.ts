import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readDeployment } from '@vestibule/service/deployment';
import { behindProxy, startNginx } from '@vestibule/service/testing/proxies';
import { createTestDeployment, type TestDeployment } from '@vestibule/service/testing/testDeployment';
import { postgresBinaries, ownerOfServer, withClient } from '@vestibule/service/testing/postgres';
import { freePorts } from '@vestibule/contract/testing/freePorts';

const run = promisify(execFile);
const database = 'vestibule';
/** The deployment's `fetch`; the users have their own. */
const ask = globalThis.fetch;

/** The built command line, in the folder of a release. */
export const program = 'packages/service/dist/cli/vestibule.js';

/** A PostgreSQL server as Debian's package has it, with its data in `folder`; TCP, for a standby is another host. */
export interface Server {
  readonly port: number;
  readonly folder: string;
  readonly url: string;
  readonly start: () => Promise<void>;
  /** `immediate`: as after a crash. */
  readonly stop: (mode: 'fast' | 'immediate') => Promise<void>;
  /** Makes a standby the primary. */
  readonly promote: () => Promise<void>;
  readonly sql: (statement: string) => Promise<void>;
  readonly abandon: () => void;
}

function serverAt(folder: string, port: number): Server {
  const owner = ownerOfServer();
  const data = path.join(folder, 'data');
  const control = (...args: readonly string[]) =>
    run(path.join(postgresBinaries(), 'pg_ctl'), ['-D', data, '-w', '-s', ...args], {
      ...owner,
      cwd: folder,
      env: { LC_ALL: 'C.UTF-8', PATH: process.env['PATH'] },
    });
  const url = `postgres://postgres@127.0.0.1:${port}/${database}`;
  return {
    port,
    folder,
    url,
    start: async () => {
      await control('-l', path.join(folder, 'log'), '-o', `-p ${port} -k ${folder}`, 'start');
    },
    stop: async (mode) => {
      await control('-m', mode, 'stop');
    },
    promote: async () => {
      await control('promote');
    },
    abandon: () => {
      spawnSync(path.join(postgresBinaries(), 'pg_ctl'), ['-D', data, '-s', '-m', 'immediate', 'stop'], {
        ...owner,
        stdio: 'ignore',
      });
    },
    sql: (statement) =>
      withClient(url, async (client) => {
        await client.query(statement);
      }),
  };
}

/** A new server in an empty folder, and its database. */
async function firstServer(folder: string, port: number): Promise<Server> {
  const owner = ownerOfServer();
  await run(
    path.join(postgresBinaries(), 'initdb'),
    // Small pieces of the write-ahead log: a full disk is felt within seconds.
    ['-D', path.join(folder, 'data'), '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--wal-segsize=1'],
    { ...owner, cwd: folder, env: { LC_ALL: 'C.UTF-8', PATH: process.env['PATH'] } },
  );
  appendFileSync(
    path.join(folder, 'data/postgresql.conf'),
    [
      "listen_addresses = '127.0.0.1'",
      'min_wal_size = 2MB',
      'max_wal_size = 32MB',
      // A standby that was lost for a moment is back within a second; until then a synchronous commit waits.
      'wal_retrieve_retry_interval = 500ms',
      '',
    ].join('\n'),
  );
  const server = serverAt(folder, port);
  await server.start();
  await withClient(`postgres://postgres@127.0.0.1:${port}/postgres`, (client) =>
    client.query(`create database ${database}`),
  );
  return server;
}

/** Makes a server in an empty folder a copy of another one, which it follows from then on. */
export async function follow(primary: Server, standby: Server): Promise<void> {
  await run(
    path.join(postgresBinaries(), 'pg_basebackup'),
    [
      ...['-D', path.join(standby.folder, 'data'), '-R', '-c', 'fast'],
      ...['-d', `host=127.0.0.1 port=${primary.port} user=postgres`],
    ],
    { ...ownerOfServer(), cwd: standby.folder },
  );
  await standby.start();
}

/** A process of the built service. */
interface Node {
  readonly start: (build?: string) => Promise<void>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Told to stop, as systemd does it. */
  readonly stop: () => Promise<void>;
  readonly gone: () => Promise<void>;
}

export interface Deployed {
  readonly deployment: TestDeployment;
  readonly primary: Server;
  /** An empty folder, until it follows the first. */
  readonly standby: Server;
  readonly nodes: readonly [Node, Node];
  readonly smtpPort: number;
  readonly ca: string;
  /** A file of the deployment, such as a secret. */
  readonly write: (name: string, text: string) => void;
  readonly read: (name: string) => string;
  /** A command of the built service, as an operator gives it. @returns its standard output. */
  readonly vestibule: (
    args: readonly string[],
    options?: { readonly input?: string; readonly build?: string | null },
  ) => Promise<string>;
  /** Fills the disk of the first server. @returns how to free it; `null` where no small disk could be mounted. */
  readonly fillDisk: (() => () => void) | null;
  /** Ends and removes everything; for the end of the process, so nothing is waited for. */
  readonly remove: () => void;
}

const disk = { size: '160m', filler: 'filler' };

/**
 * Two PostgreSQL servers, two processes, and nginx in front as docs/operations.md configures it, in a folder of their own. Nothing but
 * nginx and the first server runs yet.
 *
 * @param build folder of the build that is used unless another is named
 */
export async function deploy(build: string): Promise<Deployed> {
  const [portA = 0, portB = 0, smtpPort = 0, first = 0, second = 0] = await freePorts(5);
  const deployment = await createTestDeployment();
  const stopNginx = await startNginx(deployment, [portA, portB]);
  const file = (name: string): string => path.join(deployment.folder, name);
  const owner = ownerOfServer();
  const folderFor = (name: string): string => {
    mkdirSync(file(name));
    if (owner.uid !== undefined && owner.gid !== undefined) chownSync(file(name), owner.uid, owner.gid);
    return file(name);
  };
  const primaryFolder = folderFor('first');
  const isSmall = mountSmallDisk(primaryFolder, owner.uid);
  const primary = await firstServer(primaryFolder, first);

  const write = (name: string, text: string): void => {
    writeFileSync(file(name), text);
  };
  const text = `${behindProxy(deployment.deployment).trimEnd()}
    SMTP_URL_FILE: ${file('smtp-url')}
    MAIL_FROM: no-reply@example.test
    ACCESS_TOKEN_SECONDS: 30
`;
  write('deployment.yaml', text);
  write('smtp-url', `smtp://127.0.0.1:${smtpPort}\n`);
  write('database-url', `${primary.url}\n`);
  write('encryption-key', `${randomBytes(32).toString('base64')}\n`);
  const environment = { ...process.env, ...readDeployment(text).environment };

  const nodes = [portA, portB].map((port): Node => {
    let child: ChildProcess | undefined;
    const gone = async (): Promise<void> => {
      if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit');
    };
    return {
      start: async (folder = build) => {
        // The release before the first one with a page knows variables only.
        const config = folder === build ? ['--config', file('deployment.yaml')] : [];
        const started = spawn(process.execPath, [path.join(folder, program), ...config, 'serve'], {
          env: { ...environment, PORT: String(port), NODE_ENV: 'production' },
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const log = file(`node-${port}.log`);
        started.stdout.on('data', (chunk: Buffer) => {
          appendFileSync(log, chunk);
        });
        child = started;
        await untilReady(port, started);
      },
      signal: (signal) => child?.kill(signal),
      stop: async () => {
        child?.kill('SIGTERM');
        await gone();
      },
      gone,
    };
  });
  const [a, b] = nodes as [Node, Node];
  const standby = serverAt(folderFor('second'), second);
  return {
    deployment,
    primary,
    standby,
    nodes: [a, b],
    smtpPort,
    ca: readFileSync(file('cert.pem'), 'utf8'),
    write,
    read: (name) => readFileSync(file(name), 'utf8'),
    vestibule: async (args, { input = '', build: from } = {}) => {
      const running = run(process.execPath, [path.join(from ?? build, program), ...args], {
        env: environment,
      });
      running.child.stdin?.end(input);
      return (await running).stdout;
    },
    fillDisk: isSmall
      ? () => {
          fill(path.join(primaryFolder, disk.filler));
          return () => {
            rmSync(path.join(primaryFolder, disk.filler));
          };
        }
      : null,
    remove: () => {
      for (const node of nodes) node.signal('SIGKILL');
      void stopNginx();
      for (const server of [primary, standby]) server.abandon();
      if (isSmall) execFileSync('umount', [primaryFolder]);
      deployment.remove();
    },
  };
}

/** A separate disk, which can be filled safely; only root can mount one. */
function mountSmallDisk(folder: string, uid: number | undefined): boolean {
  try {
    execFileSync(
      'mount',
      ['-t', 'tmpfs', '-o', `size=${disk.size},uid=${uid ?? 0},mode=755`, 'none', folder],
      {
        stdio: 'ignore',
      },
    );
    return true;
  } catch {
    return false;
  }
}

/** Up to the last block, and not further: what is written then fails. */
function fill(target: string): void {
  const { bavail, bsize } = statfsSync(path.dirname(target));
  execFileSync('fallocate', ['-l', String(bavail * bsize), target]);
}

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  const limit = Date.now() + 60_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`A process of the service ended with ${child.exitCode}.`);
    const isReady = await ask(`http://127.0.0.1:${port}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (Date.now() > limit) throw new Error('A process of the service is not ready after a minute.');
    await pause(50);
  }
}
