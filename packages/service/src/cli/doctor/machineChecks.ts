import { readFileSync } from 'node:fs';
import type { Tables } from '../../core/database/tables.ts';
import { connect } from '../../platform/database/connect.ts';
import { PoolingError } from '../../platform/database/pooling.ts';
import { createSecretBox, type SecretBox } from '../../platform/security/secretBox.ts';
import { closedKeys } from '../../core/keys/signingKeys.ts';
import { silentLogger } from '../../platform/settings/options.ts';
import type { Deployment } from '../../deployment.ts';
import { find, NotChecked, Wrong, type Finding } from '../../platform/doctor/findings.ts';
import { codeOf } from '../../platform/doctor/webRequests.ts';

/** Checks what only machines of the deployment can reach. */
export async function machineFindings({
  environment,
}: Pick<Deployment, 'environment'>): Promise<readonly Finding[]> {
  const database = await find('database', 'DATABASE_URL', () => checkDatabase(environment));
  if (database.problem !== undefined) return [database];
  return [database, await find('signing keys', 'ENCRYPTION_KEY', () => checkSigningKeys(environment))];
}

async function checkDatabase(environment: Deployment['environment']): Promise<void> {
  const url = secretHere(environment, 'DATABASE_URL');
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

/** Checks that each signing key opens. Otherwise nobody would notice a damaged key before it is needed. */
async function checkSigningKeys(environment: Deployment['environment']): Promise<void> {
  const box = boxHere(environment);
  const { db, close } = await connect({ url: secretHere(environment, 'DATABASE_URL') }, silentLogger);
  try {
    const [closed] = await closedKeys(db, box, Date.now()).catch((error: unknown) => {
      throw new NotChecked(`The signing keys cannot be read (${codeOf(error)}).`);
    });
    if (closed === undefined) return;
    throw new Wrong(
      `The signing key ${closed.kid} does not open with ENCRYPTION_KEY${closed.isSigner ? ', and it signs now' : ''}.`,
      `If no machine has another encryption key, it is damaged: replace it with \`vestibule keys revoke -- ${closed.kid}\`.`,
      closed.isSigner ? 'wrong' : 'warning',
    );
  } finally {
    await close();
  }
}

function boxHere(environment: Deployment['environment']): SecretBox {
  const key = secretHere(environment, 'ENCRYPTION_KEY');
  try {
    return createSecretBox(key);
  } catch (error) {
    throw new Wrong(error instanceof Error ? error.message : 'It is not valid.', 'See docs/operations.md.');
  }
}

/** Reads a secret on a machine of the deployment. A variable of the environment comes before the deployment file, as for the processes. */
function secretHere(environment: Deployment['environment'], name: string): string {
  const { [name]: secret = '', [`${name}_FILE`]: file = '' } = process.env;
  if (secret !== '') return secret;
  const named = file === '' ? (environment[`${name}_FILE`] ?? '') : file;
  try {
    return readFileSync(named, 'utf8').trim();
  } catch (error) {
    throw new NotChecked(`${named} cannot be read here (${codeOf(error)}).`);
  }
}
