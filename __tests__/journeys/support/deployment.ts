import { randomBytes } from 'node:crypto';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { newDatabase } from '@vestibule/service/testing/postgres';
import {
  createTestDeployment,
  startNginx,
  untilOpen,
  type TestDeployment,
} from '@vestibule/service/testing/testDeployment';

const command = path.resolve('packages/service/dist/cli/vestibule.js');

/** The password of every account that a journey makes. */
export const password = 'Front-door7';

/** The built page and two processes of the built service behind nginx, as `vestibule configure` writes them. */
export interface Deployment extends Pick<TestDeployment, 'folder' | 'httpsPort'> {
  /** The command `vestibule`. */
  readonly command: string;
  /** The variables of the service. */
  readonly environment: NodeJS.ProcessEnv;
  /** The running processes. */
  readonly nodes: readonly ChildProcess[];
  /** Kills a process and starts it again. */
  readonly restart: (node: number) => Promise<void>;
  /** Runs the command line and answers with what it prints. */
  readonly vestibule: (args: readonly string[], input?: string) => string;
  /** Serves this build of the page from now on. */
  readonly deploy: (build: string) => void;
  readonly stop: () => Promise<void>;
}

/** Starts it. @param parentOrigins whose frames may show the page @param extensions besides `revoke` and `passkeys` */
export async function startDeployment(
  parentOrigins?: readonly string[],
  extensions?: readonly string[],
): Promise<Deployment> {
  const ports = await freePorts(2);
  const testDeployment = await createTestDeployment(ports, parentOrigins, extensions);
  const { folder, httpsPort } = testDeployment;
  const file = (name: string): string => path.join(folder, name);
  writeFileSync(file('deployment.yaml'), testDeployment.deployment);
  writeFileSync(file('database-url'), `${await newDatabase()}\n`);
  writeFileSync(file('encryption-key'), `${randomBytes(32).toString('base64')}\n`);
  const environment: NodeJS.ProcessEnv = { ...process.env };
  const vestibule: Deployment['vestibule'] = (args, input = '') =>
    execFileSync(process.execPath, [command, ...args], { env: environment, input, encoding: 'utf8' });
  const deploy = (build: string): void => {
    vestibule(['configure', file('deployment.yaml'), '--build', build, '--out', file('out')]);
  };
  deploy('dist');
  Object.assign(environment, readVariables(file('out/service.env')));
  const nodes: ChildProcess[] = [];
  const serve = async (node: number): Promise<void> => {
    const port = ports[node] ?? 0;
    nodes[node] = spawn(process.execPath, [command, 'serve'], {
      env: { ...environment, PORT: String(port) },
    });
    await untilOpen(port);
  };
  await serve(0);
  await serve(1);
  vestibule(
    [
      ...['accounts', 'create', 'ada@example.test', '--first-name', 'Ada', '--last-name', 'Lovelace'],
      ...['--application', 'ledger=https://ledger.apps.example.test/'],
      ...['--application', 'supplierHub=https://hub.apps.example.test/', '--password-stdin'],
    ],
    `${password}\n`,
  );
  const stopNginx = await startNginx(testDeployment, file('out/vestibule.conf'));
  return {
    ...{ folder, httpsPort, command, environment, nodes, vestibule, deploy },
    restart: async (node) => {
      const former = nodes[node];
      former?.kill('SIGKILL');
      if (former !== undefined) await exitOf(former);
      await serve(node);
    },
    stop: async () => {
      await stopNginx();
      for (const node of nodes) node.kill('SIGTERM');
      await Promise.all(nodes.map(exitOf));
      testDeployment.remove();
    },
  };
}

export function exitOf(node: ChildProcess): Promise<unknown> {
  return node.exitCode !== null || node.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => node.once('exit', resolve));
}

function readVariables(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1).replace(/^"(.*)"$/, '$1')];
    }),
  );
}
