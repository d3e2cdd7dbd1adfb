// @ts-check
// 'More machines': processes on one machine, nginx on another, TLS between them, and HAProxy in front of nginx. The client, the balancer
// and the machines have a network namespace each.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { authority, certificates, commandsOf, grownFile, hosts, step } from './guide.mjs';
import { boot, install } from './machine.mjs';
import { signIn } from './users.mjs';

/** The addresses of the guide, and that of the client. */
const addresses = { nginx: '10.0.0.1', processes: '10.0.0.2', balancer: '10.0.0.3', client: '10.0.0.99' };
/** The address that the client claims. */
const claimed = '192.0.2.66';
const trusted = `NODE_EXTRA_CA_CERTS=${authority}`;
const file = 'etc/vestibule/deployment.yaml';

/** @typedef {Awaited<ReturnType<typeof boot>>} Machine */

/**
 * @param {Machine & { readonly root: string }} processes the machine that has been one of everything
 * @param {string} root of a machine that followed 'Install', for nginx
 */
export async function growth(processes, root) {
  /** @type {Machine | undefined} */
  let web;
  const [balancer, client] = [namespace(), namespace()];
  try {
    await step('a machine for nginx', async () => {
      // The unit of HAProxy would start with the machine.
      install(
        root,
        'ln -s /dev/null /etc/systemd/system/haproxy.service\napt-get install -y --no-install-recommends haproxy\n',
      );
      web = await boot(root);
    });
    if (web === undefined) return;
    connect(balancer.pid, { nginx: web.pid, processes: processes.pid, client: client.pid });
    const machines = { web, processes, root, balancer: balancer.pid, client: client.pid };
    await step('processes on another machine than nginx, behind the PROXY protocol', () => {
      move(machines);
      balance(machines, proxyProtocol);
      apply(machines, grownFile());
      isKnownAsClient(machines);
    });
    await step('TLS that ends at the balancer, which names the client in a header', () => {
      const { certificate: _certificate, certificateKey: _key, balancer: front, ...rest } = grownFile().web;
      balance(machines, headers);
      apply(machines, {
        ...grownFile(),
        web: { ...rest, balancer: { addresses: front.addresses, endsTls: true } },
      });
      isKnownAsClient(machines);
      isRefusedInClearText(machines);
    });
  } finally {
    await web?.stop();
    for (const { end } of [balancer, client]) end();
  }
}

/** A network of its own. */
function namespace() {
  const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' });
  return { pid: String(holder.pid), end: () => holder.kill() };
}

/**
 * Connects the networks of processes by a bridge in that of the balancer.
 *
 * @param {string} balancer
 * @param {Readonly<Record<'nginx' | 'processes' | 'client', string>>} others
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

/** @typedef {{ web: Machine, processes: Machine & { root: string }, root: string, balancer: string, client: string }} Machines */

/** The certificates, and names that lead to the balancer. @param {Machines} machines */
function move({ web, processes, root }) {
  processes.run(`apt-get remove -qq nginx > /dev/null\n${commandsOf('Growing').join('')}`);
  for (const name of [certificates.slice(1), 'etc/vestibule/service.pem'])
    cpSync(path.join(processes.root, name), path.join(root, name), { recursive: true });
  web.run('rm -f /etc/nginx/sites-enabled/default\nsystemctl disable --quiet --now postgresql');
  for (const machine of [root, processes.root])
    writeFileSync(
      path.join(machine, 'etc/hosts'),
      `127.0.0.1 localhost\n${addresses.balancer} ${hosts.join(' ')}\n`,
    );
}

/** Applies the deployment in the order of the guide. @param {Machines} machines @param {unknown} deployment */
function apply({ web, processes, root }, deployment) {
  for (const machine of [processes.root, root])
    writeFileSync(path.join(machine, file), stringify(deployment));
  // The doctor reports problems until nginx runs.
  const started = processes.run('vestibule apply || true', [trusted]);
  for (const port of [4001, 4002])
    if (!started.includes(`vestibule@${port} is ready.`)) throw new Error(started);
  web.run('/opt/vestibule/vestibule-*/vestibule apply || true', [trusted]);
  // The balancer refuses connections until it has asked nginx.
  const printed = web.run(
    `timeout 30 sh -c "until node -e 'fetch(\\"https://login.example.com\\").catch(() => process.exit(1))'; do sleep 0.5; done"
vestibule doctor /${file} || true`,
    [trusted],
  );
  if (!/, 0 wrong\.\n$/.test(printed)) throw new Error(printed);
}

/** The audit log has the client's address, whatever the client claims. @param {Machines} machines */
function isKnownAsClient({ web, processes, client }) {
  /** @param {readonly string[]} variables */
  const sign = (...variables) =>
    web.run('node --input-type=module -e "$CODE"', [trusted, `CODE=${signIn}`, ...variables], client);
  sign();
  sign(`FORWARDED=${claimed}`);
  // Past nginx: only TRUSTED_PROXIES are believed.
  sign(
    `FORWARDED=${claimed}`,
    `SERVICE=https://${addresses.processes}:4001`,
    'NODE_TLS_REJECT_UNAUTHORIZED=0',
  );
  const log = processes.run('vestibule audit list --event sign-in').trim().split('\n').slice(-3);
  const networks = log.map((line) => JSON.parse(line).network);
  if (networks.some((network) => network !== addresses.client))
    throw new Error(`The audit log has ${networks.join(', ')} instead of ${addresses.client}.`);
  console.log(`  ${networks.length} sign-ins from ${addresses.client}, two of which claim ${claimed}`);
}

/** @param {Machines} machines */
function isRefusedInClearText({ web, client }) {
  const code = `
import { get } from 'node:http';
const headers = { host: 'login.example.com', accept: 'text/html', 'x-forwarded-for': '${claimed}' };
get({ host: '${addresses.nginx}', path: '/login', headers }, ({ statusCode }) => console.log(statusCode));`;
  const status = web.run('node --input-type=module -e "$CODE"', [`CODE=${code}`], client).trim();
  if (status !== '403') throw new Error(`nginx responds with ${status} to plain http from anybody.`);
}

/** @param {Machines} machines @param {string} configuration of HAProxy */
function balance({ web, root, balancer }, configuration) {
  const timeouts = 'timeout connect 5s\n  timeout client 30s\n  timeout server 30s';
  writeFileSync(path.join(root, 'root/haproxy.cfg'), `defaults\n  ${timeouts}\n${configuration}`);
  web.run(
    `cat ${authority} ${certificates}/privkey.pem > both.pem
if [ -e haproxy.pid ]; then kill $(cat haproxy.pid); fi
haproxy -D -p haproxy.pid -f haproxy.cfg`,
    [],
    balancer,
  );
}

/** Calls and connections are passed on while nginx says at /ready that a process is. */
const health = 'option httpchk GET /ready';
const checked = 'check inter 500ms fall 1 rise 1 port 80';

const proxyProtocol = ['443', '80']
  .map(
    (port) => `
listen port-${port}
  mode tcp
  bind ${addresses.balancer}:${port}
  ${health}
  server nginx ${addresses.nginx}:${port} send-proxy ${checked} check-send-proxy
`,
  )
  .join('');

const headers = `
frontend plain
  mode http
  bind ${addresses.balancer}:80
  http-request redirect scheme https code 301
listen tls
  mode http
  bind ${addresses.balancer}:443 ssl crt /root/both.pem
  option forwardfor
  ${health}
  server nginx ${addresses.nginx}:80 ${checked}
`;
