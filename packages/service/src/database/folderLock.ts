import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Folders that this process has locked: in a container, a restarted service often has the same process id as before.
 */
const held = new Set<string>();

/**
 * Locks the folder of an embedded database: PGlite has no lock, and two writers would corrupt the data. The lock is a
 * file with the owner's process id; a lock of a process that has ended is taken over.
 *
 * @returns releases the lock.
 * @throws Error if another running process has locked the folder.
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = resolve(folder, 'owner.pid');
  if (!tryCreate(file)) {
    const owner = readOwner(file);
    if (owner !== null && (owner === process.pid ? held.has(file) : isAlive(owner))) {
      throw new Error(
        `The data folder ${folder} is in use by process ${owner}. Stop it, or choose another folder.`,
      );
    }
    rmSync(file, { force: true });
    if (!tryCreate(file)) {
      throw new Error(`The data folder ${folder} was locked by another process at the same moment.`);
    }
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
    writeSync(descriptor, String(process.pid));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function readOwner(file: string): number | null {
  try {
    const owner = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(owner) && owner > 0 ? owner : null;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs as another user.
    return hasCode(error, 'EPERM');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
