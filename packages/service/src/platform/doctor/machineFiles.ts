import { accessSync, constants, readFileSync } from 'node:fs';
import { NotChecked, Wrong } from './findings.ts';
import { codeOf } from './webRequests.ts';

/** The processes of a deployment: their variables. */
export interface Processes {
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Reads a file that exists on machines with processes.
 *
 * @throws Wrong if the file is missing on such a machine; NotChecked on other machines, or if the user may not read secrets.
 */
export function readHere(deployment: Processes, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return missing(deployment, `${file} cannot be read here (${codeOf(error)}).`, 'The processes need it.');
  }
}

/** @throws Wrong or NotChecked, as `readHere`. */
export function missing({ environment }: Processes, problem: string, advice: string): never {
  if (hasProcesses({ environment })) throw new Wrong(problem, advice);
  throw new NotChecked(problem);
}

/** Whether processes of the deployment run on this machine, and their secrets can be read. */
export function hasProcesses({ environment }: Processes): boolean {
  try {
    accessSync(environment['DATABASE_URL_FILE'] ?? '', constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
