import { readFileSync } from 'node:fs';
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
    if (error instanceof PoolingError)
      throw new Wrong(error.message, 'See packages/service/README.md#databases.');
    throw new NotChecked(`The database does not accept this user of this machine (${codeOf(error)}).`);
  }
}
