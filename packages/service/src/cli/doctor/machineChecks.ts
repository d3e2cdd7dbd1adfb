import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { connect } from '../../database/connect.ts';
import { PoolingError } from '../../database/pooling.ts';
import { createOwnAddressTest } from '../../addresses.ts';
import { PasswordListError, readPasswordFilter } from '../../security/passwordFilter.ts';
import { silentLogger } from '../../settings/options.ts';
import type { Deployment } from '../deployment.ts';
import { find, NotChecked, Wrong, type Finding } from './findings.ts';
import { codeOf } from './webRequests.ts';

type Processes = Pick<Deployment, 'environment' | 'nodes'>;

/** Checks what only machines of the deployment can reach. */
export async function machineFindings({
  environment,
}: Pick<Deployment, 'environment'>): Promise<readonly Finding[]> {
  return [await find('database', 'DATABASE_URL', () => checkDatabase(environment))];
}

/** Checks the list of breached passwords of the extension `password-check`. @param now ms since 1970. */
export async function passwordFindings(deployment: Processes, now: number): Promise<readonly Finding[]> {
  const { PASSWORD_CHECK: check, PASSWORD_LIST: list = 'PASSWORD_LIST' } = deployment.environment;
  if (check !== 'on') return [];
  return [await find('breached passwords', list, () => checkPasswordList(deployment, now))];
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
function missing({ environment, nodes }: Processes, problem: string, advice: string): never {
  const isOwn = createOwnAddressTest();
  const runsProcesses = nodes.some((node) => isOwn(node.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')));
  if (runsProcesses && isReadable(environment['DATABASE_URL_FILE'] ?? '')) throw new Wrong(problem, advice);
  throw new NotChecked(problem);
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

async function checkDatabase({ DATABASE_URL_FILE: file = '' }: Deployment['environment']): Promise<void> {
  let url: string;
  try {
    url = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new NotChecked(`${file} cannot be read here (${codeOf(error)}).`);
  }
  try {
    const { close } = await connect({ url }, silentLogger);
    await close();
  } catch (error) {
    if (error instanceof PoolingError) throw new Wrong(error.message, 'See docs/operations.md#engines.');
    throw new NotChecked(`The database does not accept this user of this machine (${codeOf(error)}).`);
  }
}

/** Twice the size of the list that the service includes. A smaller list adds little. */
const minEntries = 100_000;
const maxDays = 365;
const importList = 'Import a list of breached passwords (docs/operations.md#breached-passwords).';

function checkPasswordList(deployment: Processes, now: number): string {
  const { PASSWORD_LIST: list } = deployment.environment;
  if (list === undefined)
    throw new Wrong('PASSWORD_LIST is not set: only common passwords are refused.', importList, 'warning');
  const { entries, bytes, importedAt } = listFacts(deployment, list);
  const day = new Date(importedAt).toISOString().slice(0, 10);
  const size = `${entries.toLocaleString('en')} entries (${(bytes / 1e6).toFixed(1)} MB)`;
  if (entries < minEntries) throw new Wrong(`${list} has only ${size}.`, importList, 'warning');
  if (now - importedAt > maxDays * 86_400_000)
    throw new Wrong(`${list} was imported more than a year ago, on ${day}.`, importList, 'warning');
  return `${size}, imported on ${day}`;
}

function listFacts(deployment: Processes, list: string) {
  try {
    return { ...readPasswordFilter(list), importedAt: statSync(list).mtimeMs };
  } catch (error) {
    if (error instanceof PasswordListError) throw new Wrong(error.message, importList);
    return missing(deployment, `${list} cannot be read here (${codeOf(error)}).`, importList);
  }
}
