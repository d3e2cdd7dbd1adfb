import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { newDatabase } from '@vestibule/service/testing/postgres';
import { behindProxy, startNginx } from '@vestibule/service/testing/proxies';
import { createTestDeployment, type TestDeployment } from '@vestibule/service/testing/testDeployment';

/** The password of every account that a journey makes. */
export const password = 'Front-door7';

/** The domain of a deployment whose names every browser finds on this machine, also one whose driver maps no names. */
export const localDomain = 'example.localhost';

interface DeploymentOptions {
  /** Whose frames may show the page. */
  readonly parentOrigins?: readonly string[];
  /** Besides `revoke` and `passkeys`. */
  readonly extensions?: readonly string[];
  /** The parent of its hosts: `example.test`, or `localDomain`. */
  readonly domain?: string;
  /** The languages to choose from; default: English only. */
  readonly languages?: readonly string[];
  /** How many processes it has: one, which speaks https itself, or two behind nginx as docs/operations.md configures it. */
  readonly processes?: 1 | 2;
}

/** The built page and service over https. */
export interface Deployment extends Pick<TestDeployment, 'folder' | 'httpsPort'> {
  /** The command `vestibule` of a release. */
  readonly command: string;
  /** The file of the deployment. */
  readonly file: string;
  readonly databaseUrl: string;
  /** The port of each process. */
  readonly ports: readonly number[];
  /** The running processes. */
  readonly nodes: readonly ChildProcess[];
  /** Stops a process and starts it again. @param release its folder; default: this one's. */
  readonly restart: (node: number, signal: NodeJS.Signals, release?: string) => Promise<void>;
  /** Runs the command line and answers with what it prints. */
  readonly vestibule: (args: readonly string[], input?: string) => string;
  /** All that the processes have logged. */
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

const commandOf = (release: string): string => path.join(release, 'packages/service/dist/cli/vestibule.js');

/** Starts it. */
export async function startDeployment({
  parentOrigins,
  extensions,
  domain = 'example.test',
  languages = [],
  processes = 1,
}: DeploymentOptions = {}): Promise<Deployment> {
  const testDeployment = await createTestDeployment(parentOrigins, extensions);
  const { folder, httpsPort } = testDeployment;
  const at = (name: string): string => path.join(folder, name);
  const [command, file] = [commandOf(process.cwd()), at('deployment.yaml')];
  const text = testDeployment.deployment
    .replace('page:\n', `page:\n  languages: [${languages.join(', ')}]\n`)
    .replace('prefix: payments', 'prefix: __Secure-payments')
    .replaceAll('example.test', domain);
  writeFileSync(file, processes === 1 ? text : behindProxy(text));
  const databaseUrl = await newDatabase();
  writeFileSync(at('database-url'), `${databaseUrl}\n`);
  writeFileSync(at('encryption-key'), `${randomBytes(32).toString('base64')}\n`);
  const environment = { ...process.env, NODE_ENV: 'production' };
  const vestibule: Deployment['vestibule'] = (args, input = '') =>
    execFileSync(process.execPath, [command, '--config', file, ...args], {
      env: environment,
      input,
      encoding: 'utf8',
    });
  const ports = processes === 1 ? [httpsPort] : await freePorts(processes);
  const nodes: ChildProcess[] = [];
  let log = '';
  const serve = async (node: number, release = process.cwd()): Promise<void> => {
    const port = { PORT: String(ports[node]) };
    const child = spawn(process.execPath, [commandOf(release), '--config', file, 'serve'], {
      env: { ...environment, ...(processes === 1 ? {} : port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    nodes[node] = child;
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk) => {
        log += String(chunk);
        if (String(chunk).includes('"event":"listening"')) resolve();
      });
      child.once('exit', () => {
        reject(new Error(`A process has ended: ${log}`));
      });
    });
  };
  for (const node of ports.keys()) await serve(node);
  vestibule(
    [
      ...['accounts', 'create', 'ada@example.test', '--first-name', 'Ada', '--last-name', 'Lovelace'],
      ...['--application', `ledger=https://ledger.apps.${domain}/`],
      ...['--application', `supplierHub=https://hub.apps.${domain}/`, '--password-stdin'],
    ],
    `${password}\n`,
  );
  const stopNginx = processes === 1 ? null : await startNginx(testDeployment, ports);
  return {
    ...{ folder, httpsPort, command, file, databaseUrl, ports, nodes, vestibule },
    log: () => log,
    restart: async (node, signal, release) => {
      await end(nodes[node], signal);
      await serve(node, release);
    },
    stop: async () => {
      await stopNginx?.();
      await Promise.all(nodes.map((node) => end(node, 'SIGTERM')));
      testDeployment.remove();
    },
  };
}

/** Ends a process, and waits until it has ended. */
export async function end(node: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (node?.exitCode !== null || node.signalCode !== null) return;
  const gone = new Promise((resolve) => node.once('exit', resolve));
  node.kill(signal);
  await gone;
}

/** Copies this release, whose page is its folder `dist`. */
export function copyRelease(folder: string): void {
  const service = 'packages/service';
  mkdirSync(path.join(folder, service), { recursive: true });
  for (const part of ['dist', ...['dist', 'locales', 'package.json'].map((name) => `${service}/${name}`)])
    cpSync(part, path.join(folder, part), { recursive: true });
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
}
