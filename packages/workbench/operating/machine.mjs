// @ts-check
// A Debian of its own: debootstrap fills it, systemd-nspawn runs it.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hosts, project } from './guide.mjs';

/**
 * The longest that each part may take, ms: several times what it takes on a busy machine. What hangs is then named.
 */
const limits = { boot: 300_000, commands: 900_000, shutdown: 120_000 };
/** @type {import('node:child_process').ExecFileSyncOptions} */
const quietly = { stdio: ['ignore', 'ignore', 'inherit'], timeout: 900_000 };

/**
 * A Debian with Node.js and the archive, whose packages have been downloaded: a machine has no network but its own.
 *
 * @param {string} root
 * @param {string} archive
 * @param {string} packages
 */
export function makeMachine(root, archive, packages) {
  const base = process.env['OPERATING_BASE'];
  if (base === undefined) {
    const included = 'ca-certificates,systemd,systemd-sysv,procps';
    execFileSync('debootstrap', ['--variant=minbase', `--include=${included}`, 'bookworm', root], quietly);
  } else execFileSync('cp', ['-a', `${base}/.`, root]);
  cpSync(realpathSync(process.execPath), path.join(root, 'usr/bin/node'));
  cpSync(path.join(project, archive), path.join(root, 'root', path.basename(archive)));
  cpSync('/etc/resolv.conf', path.join(root, 'etc/resolv.conf'));
  const download = `apt-get update\napt-get install -y --no-install-recommends --download-only ${packages}`;
  execFileSync('chroot', [root, '/bin/sh', '-ec', download], quietly);
}

/**
 * A command that boots a machine with a network and control groups of its own. Two machines in the same groups would take each
 * other's services for their own, and wait for them to stop.
 *
 * @param {string} root
 */
function nspawn(root) {
  const name = `vestibule-${randomBytes(4).toString('hex')}`;
  const groups = controlGroups().map((group) => path.join(group, name));
  for (const group of groups) mkdirSync(group);
  const enter = 'while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs"; shift; done; shift; exec "$@"';
  const options = ['--quiet', '--register=no', '--keep-unit', '--private-network', `--machine=${name}`];
  const machine = ['systemd-nspawn', ...options, '-D', root, '--boot'];
  return {
    command: /** @type {const} */ (['/bin/sh', '-euc', enter, 'sh', ...groups, '--', ...machine]),
    /** Removes the control groups after the machine has ended. */
    remove: () => {
      for (const group of groups)
        execFileSync('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
    },
  };
}

/** The folders of the control groups of this process that systemd uses: version 2, or its own hierarchy beside version 1. */
function controlGroups() {
  const own = new Map(
    readFileSync('/proc/self/cgroup', 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const [, hierarchy = '', group = ''] = line.split(':');
        return [hierarchy, group];
      }),
  );
  return readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, folder = '', type, options = ''] = line.split(' ');
      const isSystemds = type === 'cgroup' && options.split(',').includes('name=systemd');
      const group = type === 'cgroup2' ? own.get('') : isSystemds ? own.get('name=systemd') : undefined;
      return group === undefined ? [] : [path.join(folder, group)];
    });
}

/** @param {number | undefined} nspawn */
const firstProcess = (nspawn) =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(nspawn)], { encoding: 'utf8' }).stdout.trim();

/** Runs in the machine: ends the process while it has requests. */
export const kill = `
systemctl kill --kill-whom=main --signal=STOP vestibule
sleep 1
systemctl kill --kill-whom=main --signal=KILL vestibule`;

/** Runs in the machine: commands that reload the unit, until another process is ready. @param {string} commands */
export const reloading = (commands) => `
former=$(systemctl show --property=MainPID --value vestibule)
${commands}
until [ "$(systemctl show --property=MainPID --value vestibule)" != "$former" ] && systemctl is-active --quiet vestibule; do sleep 0.1; done`;

/** The address to which the names of a machine lead. */
export const address = '192.0.2.1';

/**
 * Boots the machine with a separate network.
 *
 * @param {string} root
 */
export async function boot(root) {
  writeFileSync(path.join(root, 'etc/hosts'), `127.0.0.1 localhost\n${address} ${hosts.join(' ')}\n`);
  const { command, remove } = nspawn(root);
  const machine = spawn(command[0], command.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  machine.stderr.on('data', (chunk) => (complaints += String(chunk)));
  // systemd-nspawn ends with its first process. If systemd-nspawn is killed, the first process goes on.
  const kill = () => spawnSync('kill', ['-s', 'KILL', firstProcess(machine.pid)]);
  const gone = new Promise((resolve) => machine.once('exit', resolve)).then(remove);
  const leader = async () => {
    const end = performance.now() + limits.boot;
    while (performance.now() < end && machine.exitCode === null) {
      const pid = firstProcess(machine.pid);
      if (/^\d+$/.test(pid)) {
        // `is-system-running` prints 'offline' and does not wait until systemd runs.
        const asked = ['-t', pid, '-a', 'systemctl', 'is-system-running', '--wait'];
        const state = spawnSync('nsenter', asked, { encoding: 'utf8', timeout: limits.boot }).stdout;
        if (/^(?:running|degraded)$/m.test(state)) return pid;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    kill();
    await gone;
    throw new Error(`The machine does not boot. ${complaints}`);
  };
  const pid = await leader();
  execFileSync('nsenter', ['-t', pid, '-n', 'ip', 'address', 'add', address, 'dev', 'lo']);
  return {
    /** The id of the first process of the machine. */
    pid,
    /**
     * Runs commands as root. @returns what they print.
     *
     * @param {string} script
     * @param {readonly string[]} [environment]
     * @param {string} [network] the process whose network they use
     */
    run: (script, environment = [], network = pid) => {
      const clean = [
        'HOME=/root',
        'DEBIAN_FRONTEND=noninteractive',
        'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        ...environment,
      ];
      const bash = [
        'env',
        '-i',
        ...clean,
        '/bin/bash',
        '--norc',
        '-euo',
        'pipefail',
        '-c',
        `cd /root\n${script}`,
      ];
      const inside = ['-t', pid, '-m', '-u', '-i', '-p', `--net=/proc/${network}/ns/net`];
      const { status, signal, stdout, stderr } = spawnSync('nsenter', [...inside, ...bash], {
        encoding: 'utf8',
        timeout: limits.commands,
      });
      if (status !== 0)
        throw new Error(
          `These commands ${signal === null ? 'failed' : 'took too long'}:\n${script}\n${stdout.slice(-2000)}\n${stderr.slice(-3000)}`,
        );
      return stdout;
    },
    stop: async () => {
      // Systemd's signal for an orderly end.
      spawnSync('kill', ['-s', 'RTMIN+4', pid]);
      const timer = setTimeout(kill, limits.shutdown);
      await gone;
      clearTimeout(timer);
    },
  };
}
