import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { findPgbouncer } from '../../../../scripts/setup/programs.mjs';
import { ownerOfServer } from './postgres.ts';
import { untilOpen } from './testDeployment.ts';

/** Starts PgBouncer in front of the server of a database. @returns the address of the same database through it. */
export async function startPgbouncer(url: string, mode: 'session' | 'transaction' | 'statement' = 'session') {
  const program = findPgbouncer();
  if (program === null) throw new Error('PgBouncer is missing: apt-get install pgbouncer');
  const [port = 0] = await freePorts(1);
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-pgbouncer-'));
  chmodSync(folder, 0o755);
  const file = path.join(folder, 'pgbouncer.ini');
  const configure = (server: string): void => {
    writeFileSync(
      file,
      `[databases]
* = host=${new URL(server).searchParams.get('host') ?? ''} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 50
ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout
server_login_retry = 1
`,
    );
  };
  configure(url);
  const start = async () => {
    const pooler = spawn(program, ['-q', file], { ...ownerOfServer(), stdio: 'ignore' });
    await untilOpen(port);
    return pooler;
  };
  const kill = async (signal: 'SIGKILL' | 'SIGTERM') => {
    const gone = once(pooler, 'exit');
    pooler.kill(signal);
    await gone;
  };
  let pooler = await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}${new URL(url).pathname}`,
    /** Makes new connections go to another server, as after a failover. */
    pointTo: (server: string): void => {
      configure(server);
      pooler.kill('SIGHUP');
    },
    /** As after a crash. */
    restart: async () => {
      await kill('SIGKILL');
      pooler = await start();
    },
    stop: async () => {
      await kill('SIGTERM');
      rmSync(folder, { recursive: true });
    },
  };
}
