import { statSync } from 'node:fs';
import { find, Wrong, type Finding } from '../platform/doctor/findings.ts';
import { missing, type Processes } from '../platform/doctor/machineFiles.ts';
import { codeOf } from '../platform/doctor/webRequests.ts';
import { PasswordListError, readPasswordFilter } from './passwordFilter.ts';

/** Checks the list of breached passwords. @param now ms since 1970. */
export async function passwordFindings(deployment: Processes, now: number): Promise<readonly Finding[]> {
  const { PASSWORD_CHECK: check, PASSWORD_LIST: list = 'PASSWORD_LIST' } = deployment.environment;
  if (check !== 'on') return [];
  return [await find('breached passwords', list, () => checkPasswordList(deployment, now))];
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
