// @ts-check
// A Debian of its own: debootstrap fills it, systemd-nspawn runs it.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { commandsOf, hosts, project } from './guide.mjs';

/**
 * The longest that each part may take, ms: several times what it takes on a machine with other work. What hangs is then named, and
 * the machine is shut down.
 */
const limits = { download: 900_000, boot: 300_000, commands: 900_000, shutdown: 120_000 };
/**
 * A Debian with Node.js, and what is copied to the machine.
 *
 * @param {string} root
 */
export function makeMachine(root) {
  const base = process.env['OPERATING_BASE'];
  if (base === undefined) {
    const packages = 'ca-certificates,systemd,systemd-sysv,procps';
    execFileSync('debootstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', root], {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: limits.download,
    });
  } else execFileSync('cp', ['-a', `${base}/.`, root]);
  // 'Install it from your usual source.'
  const node = realpathSync(process.execPath);
  cpSync(node, path.join(root, 'usr/bin/node'));
  const [newest = ''] = readdirSync(path.join(project, 'out'))
    .filter((name) => /^vestibule-.*\.tar\.gz$/.test(name))
    .sort((one, other) => timeOf(other) - timeOf(one));
  cpSync(path.join(project, 'out', newest), path.join(root, 'root', newest));
}

/** When an archive was written, ms since 1970. @param {string} name */
const timeOf = (name) => statSync(path.join(project, 'out', name)).mtimeMs;

/**
 * Runs commands. Their packages are downloaded with the network of this machine; the commands have a network of their own, because
 * packages choose ports that are not in use. No daemon is started.
 *
 * @param {string} root
 * @param {string} commands
 */
export function install(root, commands = commandsOf('Install').join('')) {
  const policy = path.join(root, 'usr/sbin/policy-rc.d');
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const fetches = commands.match(/^apt-get install .*$/gm) ?? [];
  runIn(
    root,
    ['--resolv-conf=copy-host'],
    ['apt-get update -qq', ...fetches.map((line) => `${line} --download-only`)].join('\n'),
  );
  runIn(root, ['--private-network'], commands);
  rmSync(policy);
}

/** @param {string} root @param {readonly string[]} options @param {string} script */
function runIn(root, options, script) {
  const words = ['--setenv=DEBIAN_FRONTEND=noninteractive', '/bin/bash', '-euo', 'pipefail', '-c', script];
  const { command, remove } = nspawn(root, [...options, '--as-pid2', '--pipe', ...words]);
  const { status, stdout, stderr } = spawnSync(command[0], command.slice(1), {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limits.download,
  });
  remove();
  if (status !== 0)
    throw new Error(`These commands failed:\n${script}\n${stdout.slice(-3000)}\n${stderr.slice(-3000)}`);
}

/**
 * A command of systemd-nspawn that runs in control groups of its own. Two machines in the same groups would take each other's
 * services for their own, and wait for them to stop.
 *
 * @param {string} root
 * @param {readonly string[]} words
 */
function nspawn(root, words) {
  const name = `vestibule-${randomBytes(4).toString('hex')}`;
  const groups = controlGroups().map((group) => path.join(group, name));
  for (const group of groups) mkdirSync(group);
  const enter = 'while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs"; shift; done; shift; exec "$@"';
  const machine = ['--quiet', '--register=no', '--keep-unit', `--machine=${name}`, '-D', root];
  return {
    command: /** @type {const} */ ([
      '/bin/sh',
      '-euc',
      enter,
      'sh',
      ...groups,
      '--',
      'systemd-nspawn',
      ...machine,
      ...words,
    ]),
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

/**
 * Boots the machine with a separate network.
 *
 * @param {string} root
 */
export async function boot(root) {
  writeFileSync(path.join(root, 'etc/hosts'), `127.0.0.1 localhost ${hosts.join(' ')}\n`);
  const { command, remove } = nspawn(root, ['--private-network', '--boot']);
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
