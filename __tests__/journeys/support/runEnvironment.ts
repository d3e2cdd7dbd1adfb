import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import type { LocalEnvironmentOptions } from '@vestibule/local';
import { newDatabase } from '@vestibule/service/testing/postgres';

/** Settings of the service that a group of journeys changes. */
export type ServiceSettings = NonNullable<LocalEnvironmentOptions['service']>;

/** What a group of journeys changes in the local environment. */
export type RunOptions = Pick<
  LocalEnvironmentOptions,
  'service' | 'sameSite' | 'devTools' | 'reportsTo' | 'languages'
>;

/** An environment in its own process. */
export interface EnvironmentProcess {
  readonly port: number;
  /** Stops it and waits until it has exited. */
  readonly stop: () => Promise<void>;
}

const projectFolder = path.resolve(__dirname, '../../..');

/** The production build that the journeys use; `JOURNEYS_DIST` names another one. */
export function distFolder(): string {
  return path.resolve(projectFolder, process.env['JOURNEYS_DIST'] ?? 'dist');
}

/**
 * Starts an environment on a free port, with its own database.
 *
 * @throws Error when there is no production build, or the environment does not start.
 */
export async function runEnvironment(options: RunOptions): Promise<EnvironmentProcess> {
  const folder = distFolder();
  if (!existsSync(path.join(folder, 'index.html'))) {
    throw new Error('There is no production build to run the journeys against: npm run build');
  }
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      path.join(projectFolder, 'packages/local/src/testEnvironment.ts'),
      JSON.stringify({
        distFolder: folder,
        databaseUrl: await newDatabase(),
        ...options,
        ...offer(),
        // Journeys read the only mail to an address.
        service: { notices: false, ...options.service },
      }),
    ],
    { cwd: projectFolder, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const port = await firstLine(child);
  return {
    port,
    stop: async () => {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.stdin.end();
      await gone;
    },
  };
}

/**
 * `JOURNEYS_EXTENSIONS`: what the page's configuration lists, all unless given: names with commas between them, or nothing; `refused`
 * lists all, and the service has none.
 */
const listed = process.env['JOURNEYS_EXTENSIONS'];

function offer(): Pick<LocalEnvironmentOptions, 'extensions' | 'withoutExtensions'> {
  if (listed === undefined) return {};
  return refusesExtensions
    ? { withoutExtensions: true }
    : { extensions: listed.split(',').filter((name) => name !== '') };
}

/** Whether the service refuses the calls of extensions, which a browser reports. */
export const refusesExtensions = listed === 'refused';

/** Whether the page uses these extensions of a service that has them. */
export function offers(...extensions: readonly string[]): boolean {
  const offered =
    listed?.split(',') ?? readdirSync('packages/contract/openapi').map((file) => path.parse(file).name);
  return extensions.every((name) => offered.includes(name));
}

async function firstLine(
  child: ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> },
): Promise<number> {
  const line = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', (code) => {
      reject(new Error(`The environment ended before it stood (exit code ${String(code)}).`));
    });
  });
  return v.parse(v.object({ port: v.number() }), JSON.parse(await line)).port;
}
