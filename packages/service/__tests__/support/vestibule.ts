import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand } from '../../src/cli/program.ts';
import { writeSmallBuild } from './testDeployment.ts';
import { encryptionKey } from './testService.ts';

type Variables = Readonly<Record<string, string>>;

/** The variables without a default. */
export const minimal = { ISSUER: 'https://api.example.com', ALLOWED_ORIGINS: 'https://login.example.com' };

/** What a process needs, on a database. */
export const environmentOf = (url: string) => ({
  DATABASE_URL: url,
  ENCRYPTION_KEY: encryptionKey,
  ...minimal,
});

const repository = path.resolve(__dirname, '../../../..');

/** Starts `vestibule` from the sources of this repository or of `release`, as the current user or as `user`. */
const start = (variables: Variables, args: readonly string[], release = repository, user?: number) =>
  spawn(process.execPath, ['--import', 'tsx', 'packages/service/src/cli/vestibule.ts', ...args], {
    cwd: release,
    env: { PATH: process.env['PATH'], ...variables },
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });

/** Copies the sources into a folder, with a build of the page. */
export function copyRelease(folder: string): void {
  const service = 'packages/service';
  for (const part of ['src', 'locales', 'package.json'])
    cpSync(path.join(repository, service, part), path.join(folder, service, part), { recursive: true });
  for (const part of ['package.json', 'tsconfig.json'])
    cpSync(path.join(repository, part), path.join(folder, part));
  symlinkSync(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'));
  writeSmallBuild(path.join(folder, 'dist'));
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** What a command of the command line printed, and its exit code. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/** Runs a command in a process of its own, which takes a second to start: use `vestibule` where that is not the point. */
export async function vestibuleProcess(
  variables: Variables,
  args: readonly string[],
  release?: string,
  user?: number,
): Promise<Ended> {
  const child = start(variables, args, release, user);
  child.stdin.end();
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return { stdout, stderr, status: child.exitCode };
}

/**
 * Runs a command in this process, one at a time.
 *
 * @param variables - the environment, besides `PATH`
 * @param input - standard input
 */
export async function vestibule(variables: Variables, args: readonly string[], input = ''): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  const writeTo = (stream: keyof typeof printed, end: string) => (chunk: unknown) => {
    printed[stream] += `${String(chunk)}${end}`;
    return true;
  };
  const statusOf = (code: typeof process.exitCode | null) => Number(code ?? 0);
  let atExit: Ended | undefined;
  const { env, exitCode } = process;
  // `serve` changes these for the rest of its process.
  const former = { console: { ...console }, listeners: signals.map((signal) => process.listeners(signal)) };
  process.env = { PATH: env['PATH'], ...variables };
  process.exitCode = undefined;
  const spies = [
    jest.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([Buffer.from(input)]) as never),
    jest.spyOn(process.stdout, 'write').mockImplementation(writeTo('stdout', '')),
    jest.spyOn(process.stderr, 'write').mockImplementation(writeTo('stderr', '')),
    jest.spyOn(console, 'log').mockImplementation(writeTo('stdout', '\n')),
    jest.spyOn(console, 'error').mockImplementation(writeTo('stderr', '\n')),
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      atExit = { ...printed, status: statusOf(code) };
      throw new Error('The process ends: nothing after it runs.');
    }),
  ];
  try {
    await runCommand(args);
    // The log is written once in each turn.
    await new Promise((resolve) => setImmediate(resolve));
    return atExit ?? { ...printed, status: statusOf(process.exitCode) };
  } finally {
    Object.assign(process, { env, exitCode });
    for (const spy of spies) spy.mockRestore();
    Object.assign(console, former.console);
    for (const [at, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (former.listeners[at]?.includes(listener) !== true) process.off(signal, listener);
  }
}

/** Starts a process of the service. */
export function serve(
  variables: Variables,
  options: readonly string[] = [],
  release?: string,
  user?: number,
) {
  const child = start(variables, [...options, 'serve'], release, user);
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
    signal: (signal: NodeJS.Signals) => {
      child.kill(signal);
    },
    end: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return gone;
    },
  };
}
