import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import type { Address } from '../start.ts';
import { defaultFile } from './deploymentInUse.ts';
import { listenersOfUnit, settingsOf } from './socketUnit.ts';

/**
 * Makes the test of `tryStart`: whether an address of a deployment needs not be opened, because the socket unit opens it, or because the
 * running process of the same deployment has it.
 *
 * @param file that of the deployment.
 * @param folder where systemd has its units.
 */
export function providedPorts(file: string, folder?: string): (address: Address) => Promise<boolean> {
  const sockets = portsOfSocketUnit(file, folder);
  return async ({ variable, port }) => {
    // systemd passes the socket of calls, then that of redirects.
    const socket = sockets[['PORT', 'REDIRECT_PORT'].indexOf(variable)];
    if (socket !== undefined) return isSocketUnitActive() || !(await accepts(socket));
    return isHeldByRunningProcess(port, file);
  };
}

/** The ports that `vestibule.socket` opens if `vestibule.service` runs the deployment of the file. */
export function portsOfSocketUnit(file: string, folder?: string): readonly number[] {
  const service = settingsOf('vestibule.service', folder);
  const isStarted = (line: string): boolean =>
    line.startsWith('ExecStart=') && line.endsWith(` serve --config ${path.resolve(file)}`);
  return service.some(isStarted) ? listenersOfUnit(folder).map(({ port }) => port) : [];
}

/** Without an answer it counts as active: on a machine without a bus only root gets one. */
function isSocketUnitActive(): boolean {
  const { stdout } = spawnSync('systemctl', ['is-active', 'vestibule.socket'], { encoding: 'utf8' });
  return !['inactive', 'failed'].includes((stdout as string | null)?.trim() ?? '');
}

/** Whether something listens on a port of this machine. */
const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });

/** Whether only sockets of the running process are on a port. Linux only. */
function isHeldByRunningProcess(port: number, file: string): boolean {
  const own = process.getuid?.();
  const sockets = listeningOn(port);
  if (sockets.length === 0 || sockets.some(({ uid }) => uid !== own)) return false;
  const processes = runningProcesses(file);
  return sockets.every(({ inode }) => processes.some((pid) => holds(pid, inode)));
}

function listeningOn(port: number): readonly { readonly uid: number; readonly inode: string }[] {
  return ['/proc/self/net/tcp', '/proc/self/net/tcp6']
    .filter((one) => existsSync(one))
    .flatMap((one) => readFileSync(one, 'utf8').split('\n').slice(1))
    .flatMap((line) => {
      const [, local = '', , state, , , , uid, , inode = ''] = line.trim().split(/\s+/);
      const isHere = state === '0A' && Number.parseInt(local.split(':')[1] ?? '', 16) === port;
      return isHere ? [{ uid: Number(uid), inode }] : [];
    });
}

/** The processes that run `vestibule serve` for the file. With `ExecReload=`, systemd names its own, which the command may not see. */
function runningProcesses(file: string): readonly string[] {
  const { MAINPID } = process.env;
  if (MAINPID !== undefined) return [MAINPID];
  return readdirSync('/proc').filter((pid) => {
    try {
      const args = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') : [];
      const used = args[args.indexOf('--config') + 1] ?? '';
      return (
        args.includes('serve') &&
        path.resolve(args.includes('--config') ? used : defaultFile) === path.resolve(file)
      );
    } catch {
      // The process has ended.
      return false;
    }
  });
}

/** Whether a process has a socket. Files of a process with a name space of its own cannot be read: its user has to suffice. */
function holds(pid: string, inode: string): boolean {
  const folder = `/proc/${pid}/fd`;
  let files: readonly string[];
  try {
    files = readdirSync(folder);
  } catch {
    return process.getuid?.() !== 0;
  }
  return files.some((one) => {
    try {
      return readlinkSync(path.join(folder, one)) === `socket:[${inode}]`;
    } catch {
      // It was closed.
      return false;
    }
  });
}
