import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';

/** Folders that this process holds: in containers a restarted service often has the process id of its predecessor. */
const held = new Set<string>();

/**
 * Keeps a second process out of an embedded database's folder: PGlite has no lock of its own, and two writers destroy
 * the data. The lock is a file with the owner's process id; that of a process which is gone is taken over.
 *
 * @returns a function that gives the folder back.
 * @throws when another living process holds the folder.
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
      throw new Error(`The data folder ${folder} was taken by another process just now.`);
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
    // EPERM: it runs, under another user.
    return hasCode(error, 'EPERM');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
