import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * The folders that this process has locked. In containers a restarted service often has the process id of its predecessor.
 */
const held = new Set<string>();

/**
 * Keeps a second process out of an embedded database's folder: PGlite has no lock of its own, and two writers destroy the
 * data. The lock is a file with the owner's process id and start; a lock of a process that has ended is taken over.
 *
 * @returns a function that releases the folder.
 * @throws Error when another living process holds the folder.
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = resolve(folder, 'owner.pid');
  if (!tryCreate(file)) {
    const owner = livingOwner(file);
    if (owner !== null)
      throw new Error(
        `The data folder ${folder} is in use by process ${owner}. Stop it, or choose another folder.`,
      );
    rmSync(file, { force: true });
    if (!tryCreate(file)) throw new Error(`The data folder ${folder} was taken by another process just now.`);
  }
  held.add(file);
  return () => {
    held.delete(file);
    rmSync(file, { force: true });
  };
}

function tryCreate(file: string): boolean {
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    writeSync(descriptor, `${process.pid} ${startOf(process.pid)}`);
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** The id of the process that holds the lock; `null` if it has ended. */
function livingOwner(file: string): number | null {
  const [, id, start = ''] = /^(\d+)(?: (.*))?$/.exec(read(file)) ?? [];
  const owner = Number(id);
  if (!(owner > 0)) return null;
  if (owner === process.pid) return held.has(file) ? owner : null;
  // Another process may have the id by now.
  return isAlive(owner) && (start === '' || start === startOf(owner)) ? owner : null;
}

/** The start of a process, in the form of the system; empty if the system does not tell. */
function startOf(processId: number): string {
  // The 22nd field has the clock ticks since the machine started. Fields are counted after the name, which may contain
  // blanks.
  const ticks = read(`/proc/${processId}/stat`).split(') ').at(-1)?.split(' ')[19];
  if (ticks !== undefined) return `${read('/proc/sys/kernel/random/boot_id').trim()} ${ticks}`;
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(processId)], { encoding: 'utf8' });
  // On a machine without `ps`, such as Windows, there is no output.
  return typeof stdout === 'string' ? stdout.trim() : '';
}

/** Reads a file; empty if it does not exist. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // With EPERM the process runs, as another user.
    return hasCode(error, 'EPERM');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
