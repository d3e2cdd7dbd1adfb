// @ts-check
// `npm run test:operating`: docs/operations.md to the letter. Its commands are taken from the file and run in a fresh Debian 12
// (debootstrap) that boots with systemd (systemd-nspawn); as root, with a network. `OPERATING_BASE` names a folder that debootstrap
// has filled, and that is copied instead of making another.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const project = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const documentation = readFileSync(path.join(project, 'docs/operations.md'), 'utf8');
const hosts = ['login', 'api', 'go', 'suppliers'].map((name) => `${name}.example.com`);
/**
 * The longest that each part may take, ms: several times what it takes on a machine with other work. What hangs is then named, and
 * the machine is shut down.
 */
const limits = { download: 900_000, boot: 120_000, commands: 300_000, shutdown: 30_000 };
const authority = '/etc/ssl/vestibule/fullchain.pem';

/**
 * The shell blocks of a section, as one script.
 *
 * @param {string} title
 */
function commandsOf(title) {
  const begin = documentation.indexOf(`\n## ${title}\n`);
  if (begin < 0) throw new Error(`docs/operations.md has no section '${title}'.`);
  const end = documentation.indexOf('\n## ', begin + 1);
  const section = documentation.slice(begin, end < 0 ? undefined : end);
  return [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, commands = '']) => commands);
}

/** The file of the deployment, as 'One file' has it. */
function deploymentFile() {
  const [, file] = /^```yaml\n(page:[^]*?)^```$/m.exec(documentation) ?? [];
  if (file === undefined) throw new Error('docs/operations.md has no file of a deployment.');
  return file;
}

/** @param {string} what @param {() => unknown} work */
async function step(what, work) {
  const begun = performance.now();
  await work();
  console.log(`${what}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}

/**
 * A Debian with Node.js, and what is copied to the machine.
 *
 * @param {string} root
 */
function makeMachine(root) {
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
  const npm = path.join(path.dirname(node), '../lib/node_modules/npm');
  cpSync(node, path.join(root, 'usr/bin/node'));
  cpSync(npm, path.join(root, 'usr/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(root, 'usr/bin/npm'));
  for (const name of [
    'dist',
    'package.json',
    'package-lock.json',
    ...['package.json', 'openapi.yaml', 'dist'].map((one) => `packages/contract/${one}`),
    ...['package.json', 'deploy', 'dist'].map((one) => `packages/service/${one}`),
  ])
    cpSync(path.join(project, name), path.join(root, 'opt/vestibule', name), { recursive: true });
  const ca = process.env['NODE_EXTRA_CA_CERTS'];
  if (ca !== undefined) cpSync(ca, path.join(root, 'root/registry.pem'), { dereference: true });
}

/**
 * 'Install', with the network of this machine. No daemon is started there, because its ports would be this machine's.
 *
 * @param {string} root
 */
function install(root) {
  const policy = path.join(root, 'usr/sbin/policy-rc.d');
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const environment = [
    'DEBIAN_FRONTEND=noninteractive',
    ...(existsSync(path.join(root, 'root/registry.pem')) ? ['NODE_EXTRA_CA_CERTS=/root/registry.pem'] : []),
  ];
  const machine = [
    '--quiet',
    '--register=no',
    '--keep-unit',
    '--as-pid2',
    '--pipe',
    '--resolv-conf=copy-host',
    '-D',
    root,
  ];
  const script = ['apt-get update -qq', ...commandsOf('Install')].join('\n');
  const words = [
    ...environment.map((one) => `--setenv=${one}`),
    '/bin/bash',
    '-euo',
    'pipefail',
    '-c',
    script,
  ];
  const { status, stdout } = spawnSync('systemd-nspawn', [...machine, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: limits.download,
  });
  if (status !== 0) throw new Error(`'Install' failed:\n${stdout.slice(-3000)}`);
  rmSync(policy);
}

/**
 * Boots the machine, with a network of its own.
 *
 * @param {string} root
 */
async function boot(root) {
  writeFileSync(path.join(root, 'etc/hosts'), `127.0.0.1 localhost ${hosts.join(' ')}\n`);
  const machine = ['--quiet', '--register=no', '--keep-unit', '--private-network', '--boot', '-D', root];
  const nspawn = spawn('systemd-nspawn', machine, { stdio: 'ignore' });
  const gone = new Promise((resolve) => nspawn.once('exit', resolve));
  const leader = async () => {
    const end = performance.now() + limits.boot;
    while (performance.now() < end) {
      const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(nspawn.pid)], { encoding: 'utf8' });
      const pid = stdout.trim();
      if (/^\d+$/.test(pid)) {
        // Before systemd runs it says 'offline', and does not wait.
        const asked = ['-t', pid, '-a', 'systemctl', 'is-system-running', '--wait'];
        const state = spawnSync('nsenter', asked, { encoding: 'utf8', timeout: limits.boot }).stdout;
        if (/^(?:running|degraded)$/m.test(state)) return pid;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    nspawn.kill('SIGKILL');
    await gone;
    throw new Error('The machine does not boot.');
  };
  const pid = await leader();
  return {
    /**
     * Runs commands as root, in the folder that 'Install' changed to. @returns what they print.
     *
     * @param {string} script
     * @param {readonly string[]} [environment]
     */
    run: (script, environment = []) => {
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
        `cd /opt/vestibule\n${script}`,
      ];
      const { status, signal, stdout, stderr } = spawnSync('nsenter', ['-t', pid, '-a', ...bash], {
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
      const timer = setTimeout(() => nspawn.kill('SIGKILL'), limits.shutdown);
      await gone;
      clearTimeout(timer);
    },
  };
}

/** Runs in the machine: activates the account with its link, if there is one, and signs in over https. */
const signIn = `
const call = async (path, body) => {
  const response = await fetch('https://api.example.com' + path, {
    method: 'POST', body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Origin: 'https://login.example.com' },
  });
  if (!response.ok) throw new Error(path + ' answers ' + response.status + ' ' + (await response.text()));
  return response.json();
};
const { LINK = '' } = process.env;
const password = 'Front-door7';
const form = { password, confirm: password, hash: LINK.split('/').pop(), method: 'basic', firstName: 'Ada', lastName: 'Lovelace' };
if (LINK !== '') await call('/password-reset/v1/activate', form);
const { refresh } = await call('/auth/v1/token', { username: 'ada@example.com', method: 'basic', password });
console.log(refresh);
`;

/** @param {Awaited<ReturnType<typeof boot>>} machine */
async function follow({ run }) {
  const trusted = [`NODE_EXTRA_CA_CERTS=${authority}`];
  const [start = '', script = '', doctor = '', ...others] = commandsOf('Start');
  if (others.length > 0) throw new Error("'Start' has more commands than this test follows.");
  await step('database, configuration, start', () => {
    const names = hosts.map((host) => `DNS:${host}`).join(',');
    run(`
install -d /etc/ssl/vestibule
openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj '/CN=login.example.com' -addext 'subjectAltName=${names}' \\
  -keyout /etc/ssl/vestibule/key.pem -out ${authority} 2> /dev/null
${commandsOf('Database and secrets').join('')}
cat > /etc/vestibule/deployment.yaml <<'FILE'
${deploymentFile()}FILE
${commandsOf('One file').join('')}
${start}${script}`);
  });
  await step('doctor', () => {
    const said = run(doctor, trusted);
    if (!/, 0 wrong\.\n$/.test(said)) throw new Error(said);
  });
  const sign = (/** @type {string} */ link) =>
    run(`node --input-type=module -e "$CODE"`, [...trusted, `CODE=${signIn}`, `LINK=${link}`]).trim();
  await step('accounts, sign-in', () => {
    const [create = '', move = ''] = commandsOf('Accounts');
    const { url } = JSON.parse(run(create).trim().split('\n').at(-1) ?? '');
    if (sign(url) === '') throw new Error('The sign-in has no refresh token.');
    run(
      `echo '{"username":"grace@example.com","firstName":"Grace","lastName":"Hopper"}' > accounts.jsonl\n${move}`,
    );
    const happened = run(commandsOf('What happened').join(''));
    if (!happened.includes('"event":"activation"'))
      throw new Error(`The audit log lacks the activation: ${happened}`);
  });
  await step('upgrade, one process after the other', () => run(commandsOf('Upgrade and rollback').join('')));
  await step('backup, loss, restore', () => {
    const [dump = '', restore = '', after = ''] = commandsOf('Backup');
    run(dump);
    run("su postgres -c 'dropdb --force vestibule'");
    let isLost = false;
    try {
      sign('');
    } catch {
      isLost = true;
    }
    if (!isLost) throw new Error('A sign-in works without its database.');
    run(restore);
    run(after);
    if (sign('') === '') throw new Error('Nobody signs in after the restore.');
  });
}

async function main() {
  if (process.getuid?.() !== 0) throw new Error('This test makes a Debian of its own, which only root may.');
  const root = mkdtempSync(path.join(tmpdir(), 'vestibule-machine-'));
  execFileSync('chmod', ['755', root]);
  try {
    await step('Debian', () => makeMachine(root));
    await step('install', () => install(root));
    const machine = await boot(root);
    try {
      await follow(machine);
    } finally {
      await step('shutdown', () => machine.stop());
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

main().then(
  () => console.log('docs/operations.md leads to a running deployment.'),
  (error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
