import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { extensionNames } from '@vestibule/contract/document';
import { DeploymentError, readDeployment } from '../deployment.ts';

/** Options of `vestibule init`. */
export interface InitOptions {
  readonly out: string;
  /** Listen behind a proxy, on an address and a port. */
  readonly proxy?: string;
  readonly container?: true;
}

/** Where a process listens behind a proxy, unless another address is given. */
export const behindProxy = '127.0.0.1:4001';

const user = 'vestibule';
const unitFolder = '/etc/systemd/system';
const acmeFolder = '/var/lib/vestibule/acme';
/** The folder of the release. */
const release = path.resolve(fileURLToPath(new URL('../../../..', import.meta.url)));

/**
 * Writes the file of a deployment, the encryption key and the address of the database. On a machine with systemd it also makes the
 * user, links the release to `/opt/vestibule`, and starts the units. Existing files are not changed. Without a file of the
 * deployment, asks for the hosts that are not given.
 *
 * @throws DeploymentError if the hosts make no valid deployment.
 */
export async function initialize(
  loginHost: string | undefined,
  serviceHost: string | undefined,
  options: InitOptions,
): Promise<void> {
  const out = path.resolve(options.out);
  const file = path.join(out, 'deployment.yaml');
  const text = existsSync(file)
    ? readFileSync(file, 'utf8')
    : deploymentText(
        loginHost ?? (await ask('Host of the page, such as login.example.com: ')),
        serviceHost ?? (await ask('Host of the service, such as api.example.com: ')),
        { ...options, out },
      );
  const { page } = readDeployment(text);
  const hasSystemd =
    options.container !== true && process.getuid?.() === 0 && existsSync('/run/systemd/system');
  if (hasSystemd && !hasUser()) execFileSync('/usr/sbin/useradd', ['--system', user]);
  if (!existsSync(out)) {
    mkdirSync(out, { recursive: true });
    chmodSync(out, 0o750);
  }
  write(file, text, 0o644);
  write(path.join(out, 'encryption-key'), `${randomBytes(32).toString('base64')}\n`);
  if (options.container === true) writeForContainers(out);
  else write(path.join(out, 'database-url'), databaseUrl);
  if (hasSystemd) {
    const own = ['', 'deployment.yaml', 'encryption-key', 'database-url'];
    execFileSync('chgrp', [user, ...own.map((name) => path.join(out, name))]);
    installUnits(options, file);
  }
  console.log(`Store a copy of ${out}/encryption-key: without it, a backup is of no use.`);
  console.log(`Next: ${nextStep(page, { ...options, out })}`);
}

function nextStep({ signOnUrl, serviceUrl }: AppConfig, { container, proxy, out }: InitOptions): string {
  if (container === true) return 'docs/operations.md#containers';
  if (proxy !== undefined) return 'docs/operations.md#behind-a-proxy';
  return certificateCommand([new URL(signOnUrl).hostname, new URL(serviceUrl).hostname], out);
}

/** As docs/operations.md#install has it. */
const certificateCommand = (hosts: readonly string[], out: string): string =>
  `certbot certonly --webroot --webroot-path ${acmeFolder} --cert-name vestibule \\
  --domains ${hosts.join(',')} --deploy-hook \\
  'install -m 640 -g ${user} -t ${out} $RENEWED_LINEAGE/fullchain.pem $RENEWED_LINEAGE/privkey.pem'`;

const databaseUrl = 'postgres://vestibule@localhost/vestibule?host=/var/run/postgresql\n';

/** The address of the database of `deploy/compose.yaml`; and the user of the image may read the secrets. */
function writeForContainers(out: string): void {
  const password = randomBytes(24).toString('hex');
  write(path.join(out, 'database-password'), password);
  write(
    path.join(out, 'database-url'),
    `postgres://vestibule:${password}@database/vestibule?sslmode=disable\n`,
  );
  if (process.getuid?.() !== 0) return;
  for (const name of ['encryption-key', 'database-url']) chownSync(path.join(out, name), 1000, 1000);
}

function hasUser(): boolean {
  try {
    execFileSync('id', [user], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The process waits for what is still missing: the database and the certificate. */
function installUnits({ proxy }: InitOptions, file: string): void {
  const unit = deployed('vestibule.service')
    .replaceAll('/usr/bin/node', process.execPath)
    .replaceAll('/etc/vestibule/deployment.yaml', file);
  const socket =
    proxy === undefined
      ? deployed('vestibule.socket')
      : deployed('vestibule-proxy.socket').replace(behindProxy, proxy);
  const isNew = [writeUnit('vestibule.service', unit), writeUnit('vestibule.socket', socket)].includes(true);
  execFileSync('ln', ['-sfn', release, '/opt/vestibule']);
  execFileSync('ln', ['-sfn', '/opt/vestibule/vestibule', '/usr/local/bin/vestibule']);
  // Whatever the umask of the shell is.
  for (const folder of [path.dirname(acmeFolder), acmeFolder]) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
  }
  const systemctl = (...args: readonly string[]): unknown => execFileSync('systemctl', args);
  systemctl('daemon-reload');
  systemctl('enable', '--quiet', ...units);
  systemctl(isNew ? 'restart' : 'start', '--no-block', ...units);
}

const units = ['vestibule.socket', 'vestibule.service'];

const deployed = (name: string): string =>
  readFileSync(path.join(release, 'packages/service/deploy', name), 'utf8');

/** @returns whether it has changed. */
function writeUnit(name: string, text: string): boolean {
  const file = path.join(unitFolder, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
  writeFileSync(file, text);
  return true;
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

function write(file: string, text: string, mode = 0o640): void {
  if (existsSync(file)) {
    console.log(`${file} exists, and is not changed.`);
    return;
  }
  writeFileSync(file, text, { mode });
  // The umask of the shell may have taken the rights of the group.
  chmodSync(file, mode);
  console.log(`Wrote ${file}.`);
}

/** The extensions of a new file, as far as this release has them. */
const offered = ['revoke', 'sessions', 'events', 'recovery-codes', 'password-check'];

function deploymentText(login: string, service: string, { out, proxy, container }: InitOptions): string {
  const domain = commonDomain(login, service);
  const secrets = container === true ? '/run/secrets' : out;
  const hasTls = proxy === undefined && container !== true;
  const known = extensionNames();
  const extensions = offered.filter((name) => known.includes(name));
  return `# docs/operations.md, and every key of the page: docs/behaviour.md#configuration
page:
  signOnUrl: https://${login}
  serviceUrl: https://${service}
  cookies: { prefix: __Secure-payments, domain: ${domain} }
  refreshGraceSeconds: 10
  redirectHosts: ['*.${domain}']
  links:
    supplierSite: https://www.${domain}/
    marketingSite: https://www.${domain}/
    supportEmail: support@${domain}
    providerSupport: support@${domain}
  brands:
    default: { label: Payments, look: default }
    supplier-hub: { label: Supplier Hub, look: default }
  oneTimeLinks: click
  extensions: [${extensions.join(', ')}]
service:
  environment:
    PRODUCT_NAME: Payments
    DATABASE_URL_FILE: ${secrets}/database-url
    ENCRYPTION_KEY_FILE: ${secrets}/encryption-key
${
  hasTls
    ? `    TLS_CERTIFICATE_FILE: ${out}/fullchain.pem
    TLS_KEY_FILE: ${out}/privkey.pem
    ACME_FOLDER: ${acmeFolder}
`
    : "    TRUSTED_PROXIES: '127.0.0.1,::1'\n"
}    METRICS_PORT: 9464
`;
}

/**
 * The domain that two hosts share, for cookies: the parent of one of them, because what both share otherwise may belong to others (co.uk).
 *
 * @throws DeploymentError without one.
 */
function commonDomain(login: string, service: string): string {
  const [one, other] = [login, service].map((host) => host.toLowerCase());
  const isWithin = (host: string | undefined, domain: string) => host?.endsWith(`.${domain}`) === true;
  const domain = [one, other]
    .map((host) => host?.replace(/^[^.]+\./, '') ?? '')
    .find((parent) => parent.includes('.') && isWithin(one, parent) && isWithin(other, parent));
  if (domain === undefined)
    throw new DeploymentError(`${login} and ${service} are not hosts of one domain, such as example.com.`);
  return domain;
}
