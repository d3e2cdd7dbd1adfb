import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';

/** Root of the project; jest runs there. */
export const projectFolder = process.cwd();

/** What a script printed and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Calls an exported function of one of the project's scripts. */
export async function callScript(script: string, name: string, ...args: unknown[]): Promise<unknown> {
  const exported = (await import(path.join(projectFolder, script))) as Record<
    string,
    (...given: unknown[]) => unknown
  >;
  return exported[name]?.(...args);
}

/**
 * Starts a script as a user does, in the project or in another folder. `ended` resolves when it exits, `printed` when its output contains the text.
 */
export function startScript(
  script: string,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = projectFolder,
): { child: ChildProcess; ended: Promise<Ended>; printed: (text: string) => Promise<void> } {
  const { NODE_OPTIONS: _jestOnly, ...inherited } = process.env;
  const child = spawn(process.execPath, [path.resolve(cwd, script), ...args], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const waiting = new Set<() => void>();
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
    waiting.forEach((look) => look());
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
  const printed = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!output.includes(text)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      void ended.then(() => reject(new Error(`Ended without printing '${text}':\n${output}`)));
    });
  return { child, ended, printed };
}
