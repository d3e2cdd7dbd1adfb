import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { InvalidArgumentError } from 'commander';
import { DeploymentError, readDeployment, type Deployment } from '../deployment.ts';
import { defaultFile } from './deploymentInUse.ts';
import { isLoopback, isNetwork } from '../platform/addresses.ts';
import { registrableDomain } from '../platform/http/hostnames.ts';
import { trustIn } from '../platform/http/network.ts';
import { translatedLanguages } from '../platform/texts/texts.ts';
import { initParts } from '../slots.ts';

/** Options of `vestibule init`. */
export interface InitOptions {
  readonly out: string;
  /** Behind these proxies: addresses or ranges. */
  readonly proxy?: readonly string[];
  /** Where the proxy reaches the process. */
  readonly listen?: Listener;
  readonly container?: true;
}

interface Listener {
  readonly host: string;
  readonly port: string;
}

/** Reads `--proxy`. @throws InvalidArgumentError */
export function readProxies(text: string): readonly string[] {
  const proxies = listed(text);
  if (proxies.length > 0 && proxies.every(isNetwork)) return proxies;
  throw new InvalidArgumentError(
    'It is the address of the proxy, such as 10.0.0.9, without a port. Where the process listens is --listen.',
  );
}

const listed = (text: string): readonly string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Reads `--listen`. @throws InvalidArgumentError */
export function readListener(text: string): Listener {
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (address.includes('/') || !isNetwork(address) || Number(port) < 1 || Number(port) > 65_535)
    throw new InvalidArgumentError('It is an address of this machine and a port, such as 10.0.0.2:4001.');
  return { host: address, port };
}

const user = 'vestibule';
const unitFolder = '/etc/systemd/system';
/** Where a process listens behind a proxy on the same machine. */
const besideProxy: Listener = { host: '127.0.0.1', port: '4001' };
const acmeFolder = '/var/lib/vestibule/acme';
/** The folder of the release. */
const release = path.resolve(fileURLToPath(new URL('../../../..', import.meta.url)));

/**
 * Writes the file of a deployment, the encryption key and the address of the database. On a machine with systemd it also makes the
 * user, links the release to `/opt/vestibule`, and starts the units; without, the file says where the process listens. Existing files
 * are not changed. Without a file of the deployment, asks for the hosts that are not given.
 *
 * @throws DeploymentError if the hosts make no valid deployment, or the options do not fit together.
 */
export async function initialize(
  loginHost: string | undefined,
  serviceHost: string | undefined,
  options: InitOptions,
): Promise<void> {
  const out = path.resolve(options.out);
  const file = path.join(out, 'deployment.yaml');
  const hasUnits =
    options.container !== true && process.getuid?.() === 0 && existsSync('/run/systemd/system');
  const variables = proxyVariables(options, hasUnits);
  const isKept = existsSync(file);
  const text = isKept
    ? readFileSync(file, 'utf8')
    : deploymentText(
        loginHost ?? (await ask('Host of the page, such as login.example.com: ')),
        serviceHost ?? (await ask('Host of the service, such as api.example.com: ')),
        { ...options, out },
        variables,
      );
  const { page, environment } = readDeployment(text, out);
  if (hasUnits && !hasUser()) execFileSync('/usr/sbin/useradd', ['--system', user]);
  if (!existsSync(out)) {
    mkdirSync(out, { recursive: true });
    chmodSync(out, 0o750);
  }
  write(file, text, 0o644);
  write(path.join(out, 'encryption-key'), `${randomBytes(32).toString('base64')}\n`);
  if (options.container === true) writeForContainers(out);
  else write(path.join(out, 'database-url'), databaseUrl);
  if (hasUnits) {
    const own = ['', 'deployment.yaml', 'encryption-key', 'database-url'];
    execFileSync('chgrp', [user, ...own.map((name) => path.join(out, name))]);
    installUnits(options, file);
  }
  if (isKept) printDifferences(file, environment, variables);
  console.log(`Store a copy of ${out}/encryption-key: without it, a backup is of no use.`);
  console.log(`Next: ${nextStep(page, { ...options, out })}`);
  const config = file === defaultFile ? '' : ` --config ${file}`;
  const command = options.container === true ? 'docker exec … vestibule' : `vestibule${config}`;
  if (!hasUnits && options.container !== true) console.log(`Start the process: ${command} serve`);
  console.log(lastSteps(page, command));
}

/** How to see that the deployment works, and who signs in first. */
const lastSteps = ({ signOnUrl }: AppConfig, command: string): string =>
  `Then see that it works: ${command} doctor, and ${signOnUrl}/login in a browser.
Make the first account, and open the link that the second command prints:
${command} accounts create ada@example.com --first-name Ada --last-name Lovelace
${command} accounts invite ada@example.com --print`;

/**
 * The variables of a process behind a proxy. Units of systemd have the address instead, as an image has it.
 *
 * @throws DeploymentError if the proxy could not reach the process.
 */
function proxyVariables(
  { proxy, listen, container }: InitOptions,
  hasUnits: boolean,
): Readonly<Record<string, string>> {
  if (proxy === undefined && listen !== undefined)
    throw new DeploymentError(
      '--listen is for a process behind a proxy: give the address of that as --proxy.',
    );
  if (proxy === undefined) return container === true ? { TRUSTED_PROXIES: '127.0.0.1,::1' } : {};
  if (listen === undefined && container !== true && !proxy.every(isLoopback))
    throw new DeploymentError(
      'A proxy on another machine does not reach 127.0.0.1: give the address and port that it connects to as --listen, such as 10.0.0.2:4001.',
    );
  const { host, port } = listen ?? besideProxy;
  return {
    TRUSTED_PROXIES: proxy.join(),
    ...(hasUnits || container === true ? {} : { HOST: host, PORT: port }),
  };
}

/** Says how a file that exists has to be changed for the options. */
function printDifferences(
  file: string,
  { TRUSTED_PROXIES = '', ...environment }: Deployment['environment'],
  { TRUSTED_PROXIES: proxies = '', ...others }: Readonly<Record<string, string>>,
): void {
  const trusted = listed(TRUSTED_PROXIES);
  const trusts = trustIn(trusted);
  const isTrusted = (one: string): boolean =>
    trusted.includes(one) || (typeof trusts === 'function' && isIP(one) !== 0 && trusts(one, 0));
  const missing = listed(proxies).filter((one) => !isTrusted(one));
  const wanted = {
    ...others,
    ...(missing.length === 0 ? {} : { TRUSTED_PROXIES: [...trusted, ...missing].join() }),
  };
  for (const [name, value] of Object.entries(wanted))
    if (environment[name] !== value) console.log(`In ${file}, set service.environment.${name}: '${value}'`);
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
function installUnits({ proxy, listen = besideProxy }: InitOptions, file: string): void {
  const unit = deployed('vestibule.service')
    .replaceAll('/usr/bin/node', process.execPath)
    .replaceAll('/etc/vestibule/deployment.yaml', file);
  const socket =
    proxy === undefined
      ? deployed('vestibule.socket')
      : deployed('vestibule-proxy.socket').replace(textOf(besideProxy), textOf(listen));
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

const textOf = ({ host, port }: Listener): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`;

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

function deploymentText(
  login: string,
  service: string,
  { out, proxy, container }: InitOptions,
  variables: Readonly<Record<string, string>>,
): string {
  const domain = commonDomain(login, service);
  const secrets = container === true ? '/run/secrets' : out;
  const environment = {
    PRODUCT_NAME: 'Payments',
    DATABASE_URL_FILE: `${secrets}/database-url`,
    ENCRYPTION_KEY_FILE: `${secrets}/encryption-key`,
    ...(proxy === undefined && container !== true
      ? {
          TLS_CERTIFICATE_FILE: `${out}/fullchain.pem`,
          TLS_KEY_FILE: `${out}/privkey.pem`,
          ACME_FOLDER: acmeFolder,
        }
      : {}),
    METRICS_PORT: '9464',
  };
  const plain = Object.entries(environment).map(([name, value]) => `    ${name}: ${value}\n`);
  const quoted = Object.entries(variables).map(([name, value]) => `    ${name}: '${value}'\n`);
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
  # languages: [${['en', ...translatedLanguages].join(', ')}] # the default first: docs/behaviour.md#languages
${extensionLines()}${settingsOf('page', login, domain)}service:
${settingsOf('service', login, domain)}  environment:
${[...plain, ...quoted].join('')}`;
}

/** The list of extensions, with those that are off as comments. */
function extensionLines(): string {
  // A list without entries would be null.
  if (!initParts.some(({ isOn }) => isOn)) return '  extensions: []\n';
  const lines = initParts.map(
    ({ name, summary, isOn }) => `    ${isOn === true ? '' : '# '}- ${name} # ${summary}\n`,
  );
  return `  extensions: # docs/behaviour.md#extensions\n${lines.join('')}`;
}

/** The settings of the extensions, as comments where the extension is off. */
function settingsOf(part: 'page' | 'service', login: string, domain: string): string {
  return initParts
    .flatMap(({ isOn, settings }) => {
      const lines = settings?.(login, domain)[part]?.split('\n') ?? [];
      return lines.map((line) => `  ${isOn === true ? '' : '# '}${line}\n`);
    })
    .join('');
}

/**
 * The narrowest domain of two hosts, for cookies.
 *
 * @throws DeploymentError if they do not belong to one registrable domain: what they share then belongs to others (co.uk).
 */
function commonDomain(login: string, service: string): string {
  const [one, other] = [login, service].map((host) => host.toLowerCase());
  const [own, others] = [one, other].map((host = '') => registrableDomain(host));
  if (one === undefined || own === undefined || own === null || own !== others)
    throw new DeploymentError(
      `${login} and ${service} are not hosts of one domain of yours, such as example.com${own && others ? `: they belong to ${own} and ${others}` : ''}.`,
    );
  const labels = one.split('.');
  const parents = labels.map((_label, index) => labels.slice(index).join('.'));
  return parents.find((parent) => `.${other ?? ''}`.endsWith(`.${parent}`)) ?? own;
}
