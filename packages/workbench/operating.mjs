// @ts-check
// `npm run operating -w packages/workbench`: docs/operations.md to the letter. Its commands are taken from the file and run in a fresh Debian 12
// (debootstrap) that boots with systemd (systemd-nspawn); as root, with a network. `OPERATING_BASE` names a folder that debootstrap
// has filled, and that is copied instead of making another.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { growth } from './operating/growth.mjs';
import {
  authority,
  certificates,
  commandsOf,
  deploymentFile,
  hosts,
  project,
  step,
} from './operating/guide.mjs';
import { boot, install, makeMachine } from './operating/machine.mjs';
import { signIn } from './operating/users.mjs';

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
  /** Makes the request of the certificate authority (ACME, http-01). @param {string} when */
  const proves = (when) => {
    run(`install -d /var/www/html/.well-known/acme-challenge
echo proof > /var/www/html/.well-known/acme-challenge/token`);
    const address = 'http://login.example.com/.well-known/acme-challenge/token';
    const answer = run(
      `node -e "fetch('${address}').then((response) => response.text()).then(console.log)"`,
    ).trim();
    if (answer !== 'proof') throw new Error(`${when}, nginx answers the authority with ${answer}.`);
  };
  proves('Before the first certificate');
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
    if (!/, 0 wrong\.\n$/.test(printed)) throw new Error(printed.slice(-3000));
    proves('At the renewal');
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
    if (!(count >= 2)) throw new Error(`No user signed in meanwhile: ${printed}`);
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
    // The report must come before systemd gives up the start.
    if (!(milliseconds < 60_000)) throw new Error(`A failed start was reported after ${milliseconds} ms.`);
    console.log(`  reported after ${milliseconds} ms`);
  });
  await step('a database that comes 12 s late', () => {
    const printed = run(`
restarts() { systemctl show --property=NRestarts --value vestibule@4001; }
systemctl stop postgresql vestibule@4001 vestibule@4002
systemctl start --no-block vestibule@4001
sleep 12
systemctl start postgresql
begun=$(date +%s%N)
until systemctl is-active --quiet vestibule@4001 || [ "$(restarts)" != 0 ]; do sleep 0.1; done
echo "$(( ($(date +%s%N) - begun) / 1000000 )) ms, $(restarts) restarts"
systemctl start vestibule@4002`);
    // A busy machine takes long, but the waiting process must become ready without a restart.
    const outcome = printed.trim().split('\n').at(-1);
    if (outcome?.endsWith(' 0 restarts') !== true) throw new Error(`After the database: ${outcome}.`);
    console.log(`  ready after it: ${outcome}`);
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

/** Makes the release in the project: in a workspace, npm would look for the script there. */
function release() {
  const { npm_config_workspace: _workspace, ...env } = process.env;
  execFileSync('npm', ['run', 'release'], { cwd: project, env, stdio: 'inherit' });
}

async function main() {
  release();
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-machine-'));
  execFileSync('chmod', ['755', folder]);
  const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')];
  try {
    await step('Debian', () => makeMachine(first));
    await step('install', () => install(first));
    execFileSync('cp', ['-a', first, second]);
    const machine = await boot(first);
    try {
      await follow(machine);
      await growth({ root: first, ...machine }, second);
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
