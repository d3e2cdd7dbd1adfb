// @ts-check
// 'Behind a proxy': a process on each of two machines, and HAProxy before them, through restarts, a rotation of the encryption key, an
// upgrade, a rollback and a wrong clock. The balancer and the client have a network namespace each.
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandsOf, hosts, step } from './guide.mjs';
import { boot, kill, reloading } from './machine.mjs';
import { authority, whileSigningIn } from './users.mjs';

const addresses = { first: '10.0.0.1', second: '10.0.0.2', balancer: '10.0.0.3', client: '10.0.0.99' };
/** The address that the client claims. */
const claimed = '192.0.2.66';

const encryptionKey = '/etc/vestibule/encryption-key';

/** Runs in the machine: from now on the clock of its process is what a file says, for all but timers. */
const ownClock = `
install -d /etc/systemd/system/vestibule.service.d
cat > /etc/systemd/system/vestibule.service.d/clock.conf << 'END'
[Service]
Environment=FAKETIME_TIMESTAMP_FILE=/etc/vestibule/clock FAKETIME_CACHE_DURATION=1 FAKETIME_DONT_FAKE_MONOTONIC=1
Environment=LD_PRELOAD=/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1
END
echo +0 > /etc/vestibule/clock
systemctl daemon-reload
systemctl restart vestibule`;

/** Runs in the machine: waits until its log has this event as the last one of its kind. @param {string} event @param {string} kind */
const untilLogged = (event, kind) =>
  `until journalctl -u vestibule -o cat | grep -E '"event":"(${kind})' | tail -1 | grep -q '${event}'; do sleep 0.2; done`;

/**
 * @param {Awaited<ReturnType<typeof boot>> & { readonly root: string }} first the machine that has been one of everything
 * @param {string} root of another one
 * @param {readonly string[]} releases the names of the one that is installed, and of the next one
 */
export async function twoMachines(first, root, [present = '', next = '']) {
  const [balancer, client] = [namespace(), namespace()];
  const second = await boot(root);
  try {
    await step('a second machine, and a balancer', () => {
      connect(balancer, { first: first.pid, second: second.pid, client });
      // The database is on the first machine.
      first.run(`
echo "listen_addresses = '*'" > /etc/postgresql/15/main/conf.d/network.conf
echo 'host vestibule vestibule 10.0.0.0/24 trust' >> /etc/postgresql/15/main/pg_hba.conf
systemctl restart postgresql
echo 'postgres://vestibule@${addresses.first}/vestibule?sslmode=disable' > /etc/vestibule/database-url
sed -i 's/^ *PRODUCT_NAME/    TRUSTED_PROXIES: ${addresses.balancer}\\n    REDIRECT_PORT: 0\\n&/' /etc/vestibule/deployment.yaml
vestibule init --proxy ${addresses.balancer} --listen ${addresses.first}:4001`);
      execFileSync('cp', ['-a', path.join(first.root, 'etc/vestibule'), path.join(root, 'etc')]);
      second.run(`
tar -xzf /root/vestibule-*.tar.gz -C /opt
/opt/vestibule-*/vestibule init --proxy ${addresses.balancer} --listen ${addresses.second}:4001
ln -s /dev/null /etc/systemd/system/haproxy.service
apt-get install -y --no-install-recommends haproxy libfaketime`);
      writeFileSync(
        path.join(root, 'etc/hosts'),
        `127.0.0.1 localhost\n${addresses.balancer} ${hosts.join(' ')}\n`,
      );
      writeFileSync(path.join(root, 'root/haproxy.cfg'), configuration);
      for (const machine of [first, second]) machine.run('systemctl start vestibule');
      second.run(
        `cat /etc/vestibule/fullchain.pem /etc/vestibule/privkey.pem > both.pem\nhaproxy -D -f haproxy.cfg\nsleep 2`,
        [],
        balancer,
      );
    });
    const options = { forwarded: claimed, network: client };
    let count = 0;
    await step('a process that is restarted', async () => {
      count += (await whileSigningIn(second, () => first.run('systemctl restart vestibule'), options)).count;
    });
    await step('a process that hangs and is killed', async () => {
      const often = { ...options, every: 500, mayFail: true };
      count += (await whileSigningIn(second, () => second.run(`${kill}\nsleep 3`), often)).count;
    });
    /** Runs commands on one machine after the other. @param {string} commands */
    const onEach = (commands) => [first, second].map(({ run }) => run(commands));
    /** @param {() => unknown} work */
    const whileSigningInOften = async (work) => {
      count += (await whileSigningIn(second, work, { ...options, every: 500 })).count;
    };
    await step('a rotation of the encryption key', () =>
      whileSigningInOften(() => {
        const key = first.run('openssl rand -base64 32').trim();
        onEach(`echo '${key}' >> ${encryptionKey}\nsystemctl restart vestibule`);
        const swap = `sed -i '1{h;d};2G' ${encryptionKey}\nsystemctl restart vestibule`;
        first.run(swap);
        const refused = first.run('vestibule keys reseal 2>&1 || true');
        if (!refused.includes('Nothing was changed'))
          throw new Error(`A process has another first key: ${refused}`);
        second.run(swap);
        first.run(`until vestibule keys reseal | grep -q ':0}'; do true; done`);
        onEach(`sed -i 2d ${encryptionKey}\nsystemctl restart vestibule`);
      }),
    );
    /** @param {string} release */
    const upgrade = (release) =>
      whileSigningInOften(() =>
        onEach(`release=${release}\n${reloading(commandsOf('Upgrade and rollback').join(''))}`),
      );
    execFileSync('cp', [path.join(first.root, `root/${next}.tar.gz`), path.join(root, 'root')]);
    await step('an upgrade to another build', () => upgrade(next));
    await step('a rollback', () => upgrade(present));
    await step('a clock that is 500 days ahead', () =>
      whileSigningInOften(() => {
        second.run(ownClock);
        const told = 'stopped: the clock|continued';
        second.run(`echo +500d > /etc/vestibule/clock\n${untilLogged('stopped: the clock', told)}\nsleep 10`);
        second.run(`echo +0 > /etc/vestibule/clock\n${untilLogged('continued', told)}`);
        second.run('rm -r /etc/systemd/system/vestibule.service.d\nsystemctl daemon-reload');
      }),
    );
    if (first.run('vestibule audit list --event refresh-reuse') !== '')
      throw new Error('A session was ended.');
    const log = first.run('vestibule audit list --event sign-in').trim().split('\n').slice(-count);
    const networks = new Set(log.map((line) => JSON.parse(line).network));
    if (String([...networks]) !== addresses.client)
      throw new Error(`The audit log has ${[...networks].join(', ')} instead of ${addresses.client}.`);
    console.log(`  ${log.length} sign-ins from ${addresses.client}, each of which claims ${claimed}`);
  } finally {
    await second.stop();
  }
}

/** A network of its own, until this process ends. @returns the id of a process in it */
function namespace() {
  const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' });
  holder.unref();
  process.once('exit', () => holder.kill());
  return String(holder.pid);
}

/**
 * Connects the networks of processes by a bridge in that of the balancer.
 *
 * @param {string} balancer
 * @param {Readonly<Record<'first' | 'second' | 'client', string>>} others
 */
function connect(balancer, others) {
  /** @param {string} pid @param {string} words */
  const ip = (pid, words) => execFileSync('nsenter', ['-t', pid, '-n', 'ip', ...words.split(' ')]);
  ip(balancer, 'link add bridge type bridge');
  for (const [name, pid] of Object.entries(others)) {
    const port = `to-${name}`;
    execFileSync('ip', `link add ${port} netns ${balancer} type veth peer name eth0 netns ${pid}`.split(' '));
    ip(balancer, `link set ${port} master bridge up`);
    ip(pid, `address add ${addresses[/** @type {keyof typeof others} */ (name)]}/24 dev eth0`);
    for (const device of ['lo', 'eth0']) ip(pid, `link set ${device} up`);
  }
  ip(balancer, `address add ${addresses.balancer}/24 dev bridge`);
  for (const device of ['lo', 'bridge']) ip(balancer, `link set ${device} up`);
}

/** HAProxy ends TLS, adds the address of the client, and sends a call that may be repeated to the other process. */
const configuration = `
listen vestibule
  mode http
  timeout connect 2s
  timeout client 75s
  timeout server 12s
  timeout check 3s
  bind ${addresses.balancer}:443 ssl crt /root/both.pem alpn h2,http/1.1
  option forwardfor
  option httpchk GET /ready
  option redispatch 1
  retry-on conn-failure empty-response 503
  http-request disable-l7-retry unless METH_GET or { path /auth/v1/token /auth/v1/refresh /auth/v1/revoke }
  default-server check inter 1s fall 3 rise 1 ssl verify required ca-file ${authority} verifyhost ${hosts[0]}
  server first ${addresses.first}:4001
  server second ${addresses.second}:4001
`;
