import { statSync } from 'node:fs';
import { secretVariables } from '../environment.ts';
import type { Logger } from '../index.ts';
import { readDeploymentFile, variables } from './deploymentInUse.ts';
import { providedPorts } from './providedPorts.ts';
import { tryStart } from '../tryStart.ts';

/**
 * Prints whether the start with a file would succeed, what the start would change, and what it would warn of.
 *
 * @throws Error as the start.
 */
export async function check(file: string): Promise<void> {
  const deployment = readDeploymentFile(file);
  const given = variables(deployment);
  const { missing, isEmpty, newer } = await tryStart(given, deployment, printWarnings, providedPorts(file));
  for (const name of secretVariables) {
    const secret = given[`${name}_FILE`];
    if (secret !== undefined && (statSync(secret).mode & readableByAll) !== 0)
      console.log(`Warning: every user of this machine can read ${secret} (${name}_FILE).`);
  }
  if (isEmpty) console.log('The database is empty: the start makes the schema.');
  else if (missing.length > 0) console.log(`The start migrates the database: ${missing.join(', ')}.`);
  if (newer.length > 0)
    console.log(
      `The database is that of a newer release (${newer.join(', ')}). Only the release before that one works with it.`,
    );
  if (process.getuid?.() === 0)
    console.log(
      'This was checked as root. The user of the service may not be permitted to read the same files.',
    );
  console.log(`${file} is valid, and the start succeeds.`);
}

/** The bit of a mode with which everybody may read a file. */
const readableByAll = 0o004;

const ignore = (): void => undefined;
const print: Logger['warn'] = (event, fields = {}) => {
  console.log(`Warning: ${[event, ...Object.values(fields)].join(': ')}.`);
};
const printWarnings: Logger = { info: ignore, warn: print, error: print };
