import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const project = path.resolve(__dirname, '../../../..');

/** What a command of the command line printed, and its exit code. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/**
 * Runs `vestibule` from its sources. Asynchronous, because a service in this process may hold a lock that the command waits for.
 *
 * @param variables - the environment, besides `PATH`
 * @param input - standard input
 */
export async function vestibule(
  variables: Readonly<Record<string, string>>,
  args: readonly string[],
  input = '',
): Promise<Ended> {
  const command = ['--import', 'tsx', 'packages/service/src/cli/vestibule.ts', ...args];
  const child = spawn(process.execPath, command, {
    cwd: project,
    env: { PATH: process.env['PATH'], ...variables },
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr, status: await ended };
}
