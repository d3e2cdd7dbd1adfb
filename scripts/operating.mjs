// @ts-check
// `npm run test:operating`: docs/operations.md to the letter. Its commands are taken from the file and run in a fresh Debian 12
// (debootstrap) that boots with systemd (systemd-nspawn); as root, with a network. `OPERATING_BASE` names a folder that debootstrap
// has filled, and that is copied instead of making another.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const project = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const documentation = readFileSync(path.join(project, 'docs/operations.md'), 'utf8');
const hosts = ['login', 'api'].map((name) => `${name}.example.com`);
/**
 * The longest that each part may take, ms: several times what it takes on a machine with other work. What hangs is then named, and
 * the machine is shut down.
 */
const limits = { download: 900_000, boot: 120_000, commands: 300_000, shutdown: 30_000 };
/** Where certbot writes; the certificate here is its own authority. */
const certificates = '/etc/letsencrypt/live/vestibule';
const authority = `${certificates}/fullchain.pem`;

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
  cpSync(node, path.join(root, 'usr/bin/node'));
  const [newest = ''] = readdirSync(path.join(project, 'out'))
    .filter((name) => /^vestibule-.*\.tar\.gz$/.test(name))
    .sort((one, other) => timeOf(other) - timeOf(one));
  cpSync(path.join(project, 'out', newest), path.join(root, 'root', newest));
}

/** When an archive was written, ms since 1970. @param {string} name */
const timeOf = (name) => statSync(path.join(project, 'out', name)).mtimeMs;

/**
 * 'Install', with the network of this machine. No daemon is started there, because its ports would be this machine's.
 *
 * @param {string} root
 */
function install(root) {
  const policy = path.join(root, 'usr/sbin/policy-rc.d');
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
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
  const words = ['--setenv=DEBIAN_FRONTEND=noninteractive', '/bin/bash', '-euo', 'pipefail', '-c', script];
  const { status, stdout } = spawnSync('systemd-nspawn', [...machine, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: limits.download,
  });
  if (status !== 0) throw new Error(`'Install' failed:\n${stdout.slice(-3000)}`);
  rmSync(policy);
}

/**
 * Boots the machine with a separate network.
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
        // Until systemd runs, it prints 'offline' and does not wait.
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
     * Runs commands as root. @returns what they print.
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
        `cd /root\n${script}`,
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

/** Runs in the machine: signs in over https. With `LINK`, activates the account first; with `FILE`, goes on until the file exists. */
const signIn = `
import { existsSync } from 'node:fs';
import { get } from 'node:https';
// Not with fetch, whose Sec-Fetch-Mode is not that of a navigation.
const open = (url) => new Promise((resolve, reject) => {
  get(url, { headers: { accept: 'text/html' } }, (response) => resolve(response.resume())).on('error', reject);
});
const call = async (path, body) => {
  const response = await fetch('https://api.example.com' + path, {
    method: 'POST', body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Origin: 'https://login.example.com' },
  });
  if (!response.ok) throw new Error(path + ' responds ' + response.status + ' ' + (await response.text()));
  return response.json();
};
const { LINK = '', FILE = '' } = process.env;
const password = 'Front-door7';
const form = { password, confirm: password, hash: LINK.split('/').pop(), method: 'basic', firstName: 'Ada', lastName: 'Lovelace' };
if (LINK !== '') await call('/password-reset/v1/activate', form);
let count = 0;
do {
  await call('/auth/v1/token', { username: 'ada@example.com', method: 'basic', password });
  const { statusCode } = await open('https://login.example.com/login');
  if (statusCode !== 200) throw new Error('/login responds ' + statusCode);
  count += 1;
  await new Promise((resolve) => setTimeout(resolve, FILE === '' ? 0 : 1000));
} while (FILE !== '' && !existsSync(FILE));
console.log(count);
`;

/** Runs in the machine: a release that follows the one that is installed. */
const nextRelease = `
mkdir next && tar -xzf vestibule-*.tar.gz -C next && cd next
mv vestibule-* vestibule-9.9.9-next && cd vestibule-9.9.9-next
echo '{"version":"9.9.9","commit":"next"}' > release.json
find . -type f ! -name SHA256SUMS -print0 | xargs -0 sha256sum > SHA256SUMS
cd .. && tar -czf ../vestibule-9.9.9-next.tar.gz vestibule-9.9.9-next && cd .. && rm -rf next
`;

/** @param {Awaited<ReturnType<typeof boot>>} machine */
async function follow({ run }) {
  const trusted = [`NODE_EXTRA_CA_CERTS=${authority}`];
  await step('database, configuration, start', () => {
    const names = hosts.map((host) => `DNS:${host}`).join(',');
    const printed = run(
      `
install -d ${certificates}
openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj '/CN=login.example.com' -addext 'subjectAltName=${names}' \\
  -keyout ${certificates}/privkey.pem -out ${authority} 2> /dev/null
${commandsOf('Database and secrets').join('')}
cat > /etc/vestibule/deployment.yaml <<'FILE'
${deploymentFile()}FILE
${commandsOf('Start').join('')}`,
      trusted,
    );
    if (!/, 0 wrong\.\n$/.test(printed)) throw new Error(printed);
  });
  /** @param {string} link @param {string} [after] a file until whose existence it goes on */
  const signsIn = (link, after = '') => [...trusted, `CODE=${signIn}`, `LINK=${link}`, `FILE=${after}`];
  const sign = (/** @type {string} */ link) => run('node --input-type=module -e "$CODE"', signsIn(link));
  const isRefused = () => {
    try {
      sign('');
      return false;
    } catch {
      return true;
    }
  };
  /** Runs commands while somebody signs in once a second. @param {string} commands */
  const meanwhile = (commands) => {
    const printed = run(
      `rm -f /tmp/over
node --input-type=module -e "$CODE" > /tmp/signed-in 2>&1 & loop=$!
sleep 2
${commands}
touch /tmp/over
wait $loop || { cat /tmp/signed-in; exit 1; }
cat /tmp/signed-in`,
      signsIn('', '/tmp/over'),
    );
    const count = Number(printed.trim().split('\n').at(-1));
    if (!(count >= 2)) throw new Error(`Nobody signed in meanwhile: ${printed}`);
    console.log(`  ${count} sign-ins meanwhile, none failed`);
    return printed;
  };
  await step('accounts, sign-in', () => {
    const [create = '', move = ''] = commandsOf('Accounts');
    const { url } = JSON.parse(run(create).trim().split('\n').at(-1) ?? '');
    sign(url);
    run(
      `echo '{"username":"grace@example.com","firstName":"Grace","lastName":"Hopper"}' > accounts.jsonl\n${move}`,
    );
    const happened = run(commandsOf('What happened').join(''));
    if (!happened.includes('"event":"activation"'))
      throw new Error(`The audit log lacks the activation: ${happened}`);
  });
  await step('change of a setting', () => {
    const change = "sed -i 's/Example Payments/Other Payments/' /etc/vestibule/deployment.yaml\n";
    const printed = meanwhile(change + commandsOf('Change a setting').join(''));
    if (!printed.includes('+PRODUCT_NAME="Other Payments"')) throw new Error(printed);
  });
  await step('upgrade', () => {
    const printed = meanwhile(
      `${nextRelease}release=vestibule-9.9.9-next\n` + commandsOf('Upgrade and rollback').join(''),
    );
    if (!/^0\.1\.0 \(next\)$/m.test(printed)) throw new Error(printed);
  });
  await step('rollback', () => {
    const printed = meanwhile('/opt/vestibule/vestibule-0*/vestibule apply\nvestibule --version');
    if (/\(next\)$/m.test(printed)) throw new Error(printed);
  });
  await step('a leaked key', () => {
    const keys = run('vestibule keys list').trim().split('\n');
    const { kid } = JSON.parse(keys.at(-1) ?? '');
    const printed = meanwhile(`vestibule keys revoke ${kid}`);
    if (!printed.includes(`"revoked":"${kid}"`)) throw new Error(printed);
    if (run('vestibule keys list').includes(kid)) throw new Error('The key is still in use.');
  });
  await step("a person's request", () => {
    const { account, auditLog } = JSON.parse(run('vestibule accounts export-person ada@example.com'));
    if (account.firstName !== 'Ada' || auditLog.length === 0) throw new Error('The export is not complete.');
  });
  await step('a leaver', () => {
    run('vestibule --as Grace accounts disable ada@example.com');
    if (!/"administrator":"Grace"/.test(run('vestibule audit list --user ada@example.com')))
      throw new Error('The audit log does not name the administrator.');
    if (!isRefused()) throw new Error('A disabled account signs in.');
    run('vestibule accounts enable ada@example.com');
    sign('');
  });
  await step('a setting with which no process starts', () => {
    const printed = run(`
sed -i 's/^ *PRODUCT_NAME/    PORT_FILE_THAT_IS_NOT_KNOWN: 1\\n&/' /etc/vestibule/deployment.yaml
if vestibule apply 2>&1; then exit 1; fi
sed -i '/PORT_FILE/d' /etc/vestibule/deployment.yaml
sed -i 's/^ *PRODUCT_NAME/    HOST: 192.0.2.1\\n&/' /etc/vestibule/deployment.yaml
if vestibule apply 2>&1; then exit 1; fi
sed -i '/HOST/d' /etc/vestibule/deployment.yaml`);
    if (!printed.includes('is not a variable')) throw new Error(printed);
    if (!/^vestibule@4001 did not become ready: .*EADDRNOTAVAIL[^]*in use again\.$/m.test(printed))
      throw new Error(printed);
  });
  await step('a failed start', () => {
    const printed = run(
      `
cd /etc/vestibule && mv encryption-key kept-key && echo short > encryption-key && chgrp vestibule encryption-key
begun=$(date +%s%N)
if systemctl restart vestibule@4001 2> /tmp/said; then echo 'It started.'; exit 1; fi
took=$(( ($(date +%s%N) - begun) / 1000000 ))
mv kept-key encryption-key
journalctl -u vestibule@4001 -o cat
systemctl restart vestibule@4001
echo $took`,
    );
    if (!/"event":"start failed","reason":"[^"]*ENCRYPTION_KEY/.test(printed))
      throw new Error(printed.slice(-3000));
    const milliseconds = Number(printed.trim().split('\n').at(-1));
    if (!(milliseconds < 5_000)) throw new Error(`A failed start was reported after ${milliseconds} ms.`);
    console.log(`  reported after ${milliseconds} ms`);
  });
  await step('a database that comes 12 s late', () => {
    const printed = run(`
systemctl stop postgresql vestibule@4001 vestibule@4002
systemctl start --no-block vestibule@4001
sleep 12
systemctl start postgresql
begun=$(date +%s%N)
until node -e "fetch('http://127.0.0.1:4001/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"; do sleep 0.1; done
echo $(( ($(date +%s%N) - begun) / 1000000 ))
systemctl start vestibule@4002`);
    const milliseconds = Number(printed.trim().split('\n').at(-1));
    if (!(milliseconds < 5_000))
      throw new Error(`The process was ready ${milliseconds} ms after the database.`);
    console.log(`  ready ${milliseconds} ms after it`);
  });
  await step('backup, loss, restore', () => {
    const [dump = '', restore = '', after = ''] = commandsOf('Backup');
    run(dump);
    run("su postgres -c 'dropdb --force vestibule'");
    if (!isRefused()) throw new Error('A sign-in works without its database.');
    run(restore);
    run(after);
    sign('');
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
