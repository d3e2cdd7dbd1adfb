import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';

/** The bits of a mode with which the group of a file, and all others, may write to it. */
const writableByOthers = 0o022;

/**
 * Reads a file with a secret. A final line break is removed.
 *
 * @throws Error if it cannot be read, or a user other than root or the user of this process could replace the secret.
 */
export function readSecretFile(file: string): string {
  const opened = openSync(file, 'r');
  try {
    const { mode, uid } = fstatSync(opened);
    if (uid !== 0 && uid !== process.getuid?.())
      throw new Error(`the owner of ${file} is neither root nor the user of the service: chown root`);
    if ((mode & writableByOthers) !== 0)
      throw new Error(`others than its owner may write to ${file}: chmod go-w`);
    return readFileSync(opened, 'utf8').replace(/\r?\n$/, '');
  } finally {
    closeSync(opened);
  }
}
