// @ts-check
import { spawn } from 'node:child_process';
import path from 'node:path';

/**
 * `quiet` keeps the output back until the end, for tools that run at the same time.
 *
 * @typedef {{ env?: Record<string, string>, quiet?: boolean }} ToolOptions
 */

/**
 * Runs a tool of the project by the node that runs us, never through a shell.
 *
 * @param {string} projectFolder
 * @param {string} script path of the tool's script within the project
 * @param {readonly string[]} args
 * @param {ToolOptions} options
 * @returns {Promise<boolean>} whether it ended with 0
 */
export async function runTool(projectFolder, script, args, options) {
  const child = spawn(process.execPath, [path.join(projectFolder, script), ...args], {
    cwd: projectFolder,
    env: { ...process.env, ...options.env },
    stdio: options.quiet === true ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  });
  /** @type {Buffer[]} */
  const output = [];
  child.stdout?.on('data', (chunk) => output.push(chunk));
  child.stderr?.on('data', (chunk) => output.push(chunk));
  const succeeded = await new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
  process.stdout.write(Buffer.concat(output));
  return succeeded;
}
