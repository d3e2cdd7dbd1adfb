// @ts-check
// `npm run operating -w packages/workbench`: docs/operations.md to the letter. Its commands are taken from the file and run in a fresh Debian 12
// (debootstrap) that boots with systemd (systemd-nspawn); as root, with a network, with the page of the last `npm run build`.
// `OPERATING_BASE` names a folder that debootstrap has filled, and that is copied instead of making another.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bytesUpTo, commandsOf, hosts, project, step } from './operating/guide.mjs';
import { address, boot, kill, makeMachine, reloading } from './operating/machine.mjs';
import { twoMachines } from './operating/twoMachines.mjs';
import { authority, isRefused, signIn, whileSigningIn } from './operating/users.mjs';

/** Runs in the machine: a release that follows the one that is installed, with the page of another build. */
const nextRelease = `
cp -al /opt/vestibule-0* vestibule-9.9.9-next
cd vestibule-9.9.9-next
rm -r release.json dist SHA256SUMS
echo '{"version":"9.9.9","commit":"next"}' > release.json
mv ../next-page dist
find . -type f ! -name SHA256SUMS -print0 | xargs -0 sha256sum > SHA256SUMS
cd ..
tar -cf - vestibule-9.9.9-next | gzip -1 > vestibule-9.9.9-next.tar.gz
rm -r vestibule-9.9.9-next
`;

/** Runs in the machine: what certbot does with a new certificate, but for its deploy hook. */
const certify = `
mkdir -p lineage
openssl req -x509 -CA ${authority} -CAkey authority-key.pem -newkey rsa:2048 -nodes -days 90 -subj '/CN=login.example.com' \\
  -addext 'subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}' -addext 'basicConstraints=critical,CA:FALSE' \\
  -keyout lineage/privkey.pem -out lineage/fullchain.pem 2> /dev/null
RENEWED_LINEAGE=/root/lineage
`;

/** @param {string} certbot its command */
const deployHook = (certbot) => /--deploy-hook \\\n *'(.*)'/.exec(certbot)?.[1] ?? '';

/** Runs in the machine: waits until a command succeeds. @param {string} command */
const until = (command) =>
  `for (( end = SECONDS + 70; ; )); do ${command} && break; [ $SECONDS -lt $end ]; sleep 0.1; done`;

/** Runs in the machine: how long the commands take, ms. @param {string} commands */
const timed = (commands) => `
begun=$(date +%s%N)
${commands}
echo $(( ($(date +%s%N) - begun) / 1000000 ))`;

/** @param {string} printed */
const lastLine = (printed) => printed.trim().split('\n').at(-1) ?? '';

/** @param {boolean} isRight @param {string} wrong */
function check(isRight, wrong) {
  if (!isRight) throw new Error(wrong.slice(-3000));
}

/** @param {Awaited<ReturnType<typeof boot>>} machine */
async function follow(machine) {
  const { run } = machine;
  const trust = `NODE_EXTRA_CA_CERTS=${authority}`;
  /** Makes the request of the certificate authority (ACME, http-01) for each name. @param {string} when */
  const proves = (when) => {
    const addresses = hosts.map((host) => `http://${host}/.well-known/acme-challenge/token`);
    const printed = run(`
install -d /var/lib/vestibule/acme/.well-known/acme-challenge
echo proof > /var/lib/vestibule/acme/.well-known/acme-challenge/token
node -e "for (const address of '${addresses.join()}'.split(',')) fetch(address).then((response) => response.text()).then(console.log)"`);
    check(printed.trim() === 'proof\n\nproof', `${when}, the authority gets ${printed}.`);
  };
  await step('install', () => {
    const [commands = '', certbot = ''] = commandsOf('Install');
    const begun = performance.now();
    const printed = run(commands);
    check(
      printed.includes(
        `Next: ${certbot}Then see that it works: vestibule doctor, and https://${hosts[0]}/login`,
      ),
      `'vestibule init' does not print the next command: ${printed}`,
    );
    proves('Before the first certificate');
    run(
      `openssl req -x509 -newkey rsa:2048 -nodes -subj '/CN=Authority' -keyout authority-key.pem -out ${authority} 2> /dev/null`,
    );
    run(certify + deployHook(certbot));
    const open = `fetch('https://login.example.com/login').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))`;
    run(until(`node -e "${open}"`), [trust]);
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    console.log(`  /login over https after ${seconds} s and ${bytesUpTo('Install')} bytes of the guide`);
    proves('At the renewal');
    const doctor = run("vestibule doctor | grep -v '^ok'", [trust]);
    check(doctor.endsWith(', 0 wrong.\n'), doctor);
    const [exposure = ''] =
      /Overall exposure.*: ([\d.]+)/.exec(run('systemd-analyze security vestibule')) ?? [];
    console.log(`  ${exposure}`);
    check(Number(exposure.split(' ').at(-1)) <= 1.5, 'The unit is more exposed than 1.5.');
  });
  await step('accounts, sign-in', () => {
    const [create = ''] = commandsOf('Accounts');
    signIn(machine, JSON.parse(lastLine(run(create))).url);
    const happened = run(commandsOf('What happened').join(''));
    check(happened.includes('"event":"activation"'), `The audit log lacks the activation: ${happened}`);
  });
  await step('change of a setting', async () => {
    run(
      `sed -i "s/^ *PRODUCT_NAME/    TRANSPORT_SECURITY: max-age=300\\n    UNLIMITED_NETWORKS: '${address},10.0.0.99'\\n&/" /etc/vestibule/deployment.yaml`,
    );
    await whileSigningIn(machine, () => run(reloading('systemctl reload vestibule')));
    const asks = `fetch('https://login.example.com').then(({ headers }) => console.log(headers.get('strict-transport-security')))`;
    const header = run(`node -e "${asks}"`, [trust]).trim();
    check(header === 'max-age=300', `The header is still ${header}.`);
  });
  /** @param {string} release @param {string} commit */
  const upgrade = (release, commit) =>
    whileSigningIn(machine, () => {
      const printed = run(`release=${release}
${reloading(commandsOf('Upgrade and rollback').join(''))}
vestibule --version
journalctl -u vestibule -o cat | grep '"event":"listening"'`);
      check(printed.includes(`(${commit})`), printed);
      check(lastLine(printed).includes(`"commit":"${commit}"`), printed);
    });
  const [first = '', commit = ''] =
    run('readlink -f /opt/vestibule')
      .trim()
      .match(/vestibule-.*-(.*)/) ?? [];
  run(nextRelease);
  await step('upgrade', () => upgrade('vestibule-9.9.9-next', 'next'));
  await step('rollback', () => upgrade(first, commit));
  await step('a process that hangs and is killed', () =>
    whileSigningIn(
      machine,
      () =>
        run(`
${kill}
${until('[ "$(systemctl show --property=NRestarts --value vestibule)" = 1 ] && systemctl is-active --quiet vestibule')}`),
      { every: 500, mayFail: true },
    ),
  );
  await step('a renewed certificate and a leaked key', async () => {
    const { serials } = await whileSigningIn(machine, () => {
      const replaced = `openssl s_client -connect login.example.com:443 < /dev/null 2> /dev/null | openssl x509 | cmp -s - lineage/fullchain.pem`;
      run(certify + deployHook(commandsOf('Install').at(-1) ?? ''));
      const { kid } = JSON.parse(lastLine(run('vestibule keys list')));
      const printed = run(`vestibule keys revoke -- ${kid}`);
      check(printed.includes(`"revoked":"${kid}"`), printed);
      check(!run('vestibule keys list').includes(kid), 'The key is still in use.');
      run(until(replaced));
    });
    check(serials.length === 2, `The certificates were ${serials.join(', ')}.`);
    check(run('systemctl show --property=NRestarts --value vestibule').trim() === '1', 'It was restarted.');
  });
  await step("a person's request, a leaver", () => {
    const { account, auditLog } = JSON.parse(run('vestibule accounts export-person ada@example.com'));
    check(account.firstName === 'Ada' && auditLog.length > 0, 'The export is not complete.');
    run('vestibule --as Grace accounts disable ada@example.com');
    const log = run('vestibule audit list --user ada@example.com');
    check(log.includes('"administrator":"Grace ('), 'The audit log does not name the administrator.');
    check(isRefused(machine), 'A disabled account signs in.');
    run('vestibule accounts enable ada@example.com');
    signIn(machine);
  });
  await step('a wrong file, a failed start', () => {
    const said = run(`
cp -p /etc/vestibule/deployment.yaml kept.yaml
sed -i 's/^ *PRODUCT_NAME/    NOT_A_VARIABLE: 1\\n&/' /etc/vestibule/deployment.yaml
if vestibule check 2>&1; then exit 1; fi
${timed("if systemctl restart vestibule 2> /dev/null; then echo 'It started.'; exit 1; fi")}
mv kept.yaml /etc/vestibule/deployment.yaml
journalctl -u vestibule -o cat
systemctl restart vestibule`);
    const [wrong = '', milliseconds] = said.split('\n');
    check(wrong.startsWith('service.environment.NOT_A_VARIABLE is not a variable that'), said);
    check(said.includes('"event":"start failed","reason":"service.environment.NOT_A_VARIABLE is'), said);
    console.log(`  systemctl reported it after ${milliseconds} ms`);
    signIn(machine);
  });
  await step('a database that comes 12 s late', () => {
    const printed = run(`
restarts() { systemctl show --property=NRestarts --value vestibule; }
systemctl stop vestibule.socket postgresql
systemctl start --no-block vestibule
sleep 12
systemctl start postgresql
${timed('until systemctl is-active --quiet vestibule || [ "$(restarts)" != 0 ]; do sleep 0.1; done')}
restarts`);
    // A busy machine takes long, but the process that waits is the one that becomes ready.
    const [milliseconds, restarts] = printed.trim().split('\n').slice(-2);
    check(restarts === '0', `${restarts} restarts`);
    console.log(`  ready ${milliseconds} ms after it`);
    signIn(machine);
  });
  await step('backup, loss, restore', () => {
    const [dump = '', restore = '', after = ''] = commandsOf('Backup');
    run(dump);
    run("su postgres -c 'dropdb --force vestibule'");
    check(isRefused(machine), 'A sign-in works without its database.');
    run(restore + after);
    signIn(machine);
  });
}

/** @returns the path of the archive. */
function release() {
  const { npm_config_workspace: _workspace, ...env } = process.env;
  const options = /** @type {const} */ ({ cwd: project, env, encoding: 'utf8' });
  execFileSync('npm', ['run', 'build:packages'], { ...options, stdio: 'ignore' });
  return execFileSync('node', ['scripts/release.mjs'], options).trim();
}

/** Builds the page so that each of its files has another name. @param {string} folder */
function buildNextPage(folder) {
  const webpack = ['node_modules/webpack/bin/webpack.js', '--mode', 'production'];
  execFileSync('node', [...webpack, '--output-path', folder, '--output-hash-salt', 'next'], {
    cwd: project,
    stdio: 'ignore',
  });
}

async function main() {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-machine-'));
  execFileSync('chmod', ['755', folder]);
  const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')];
  try {
    let archive = '';
    await step('release', () => (archive = release()));
    await step('Debian, packages', () => {
      makeMachine(first, archive, 'postgresql certbot haproxy libfaketime');
      buildNextPage(path.join(first, 'root/next-page'));
      execFileSync('cp', ['-a', first, second]);
    });
    let machine = await boot(first);
    try {
      await follow(machine);
      await step('shutdown, boot', async () => {
        await machine.stop();
        machine = await boot(first);
        signIn(machine);
      });
      await twoMachines({ root: first, ...machine }, second, [
        path.basename(archive, '.tar.gz'),
        'vestibule-9.9.9-next',
      ]);
    } finally {
      await step('shutdown', () => machine.stop());
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().then(
  () => console.log('docs/operations.md leads to a running deployment.'),
  (error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
