import { readFileSync } from 'node:fs';
import type { Tables } from '../../core/database/tables.ts';
import { connect } from '../../platform/database/connect.ts';
import { PoolingError } from '../../platform/database/pooling.ts';
import { silentLogger } from '../../platform/settings/options.ts';
import type { Deployment } from '../../deployment.ts';
import { find, NotChecked, Wrong, type Finding } from '../../platform/doctor/findings.ts';
import { codeOf } from '../../platform/doctor/webRequests.ts';

/** Checks what only machines of the deployment can reach. */
export async function machineFindings({
  environment,
}: Pick<Deployment, 'environment'>): Promise<readonly Finding[]> {
  return [await find('database', 'DATABASE_URL', () => checkDatabase(environment))];
}

async function checkDatabase(environment: Deployment['environment']): Promise<void> {
  const url = urlHere(environment);
  try {
    const { close } = await connect<Tables>({ url }, silentLogger);
    await close();
  } catch (error) {
    if (error instanceof PoolingError)
      throw new Wrong(error.message, 'See packages/service/README.md#databases.');
    // The database accepts the user of the service only.
    if (error instanceof Error && /\bpeer\b/i.test(error.message))
      throw new NotChecked(`The database does not accept this user of this machine (${codeOf(error)}).`);
    throw new Wrong(
      `The database does not respond, or refuses the service (${codeOf(error)}).`,
      'Nobody can sign in. Does PostgreSQL run, and is DATABASE_URL right, with user, password and database?',
    );
  }
}

/** The address of the database on a machine of the deployment. As for the processes, variables come before the file. */
function urlHere(environment: Deployment['environment']): string {
  const { DATABASE_URL: url = '', DATABASE_URL_FILE: file = '' } = process.env;
  if (url !== '') return url;
  const named = file === '' ? (environment['DATABASE_URL_FILE'] ?? '') : file;
  try {
    return readFileSync(named, 'utf8').trim();
  } catch (error) {
    throw new NotChecked(`${named} cannot be read here (${codeOf(error)}).`);
  }
}
