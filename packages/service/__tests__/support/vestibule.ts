import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { encryptionKey } from './testService.ts';

type Variables = Readonly<Record<string, string>>;

/** What a process needs, on a database. */
export const environmentOf = (url: string) => ({
  DATABASE_URL: url,
  ENCRYPTION_KEY: encryptionKey,
  ISSUER: 'https://api.example.com',
  ALLOWED_ORIGINS: 'https://login.example.com',
});

/** Starts `vestibule` from its sources. */
const start = (variables: Variables, args: readonly string[]) =>
  spawn(process.execPath, ['--import', 'tsx', 'packages/service/src/cli/vestibule.ts', ...args], {
    cwd: path.resolve(__dirname, '../../../..'),
    env: { PATH: process.env['PATH'], ...variables },
  });

/** What a command of the command line printed, and its exit code. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/**
 * Runs a command. Asynchronous, because a service in this process may hold a lock that the command waits for.
 *
 * @param variables - the environment, besides `PATH`
 * @param input - standard input
 */
export async function vestibule(variables: Variables, args: readonly string[], input = ''): Promise<Ended> {
  const child = start(variables, args);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr, status: await ended };
}

/** Starts a process of the service. */
export function serve(variables: Variables) {
  const child = start(variables, ['serve']);
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => (said += String(chunk)));
  /** Its exit code and signal. */
  const gone: Promise<unknown[]> = once(child, 'close');
  return {
    gone,
    /** All that it has printed. */
    said: () => said,
    /** Resolves when it has printed these words. */
    until: async (words: string) => {
      while (!said.includes(words)) {
        if (child.exitCode !== null) throw new Error(`The service ended: ${said}`);
        await pause(20);
      }
    },
    end: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return gone;
    },
  };
}
