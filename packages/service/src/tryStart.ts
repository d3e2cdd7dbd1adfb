import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Logger } from './index.ts';
import { tryService } from './createService.ts';
import type { Deployment } from './deployment.ts';
import { readEnvironment, type Variables } from './environment.ts';
import type { SchemaState } from './platform/database/migrate.ts';
import { readPair } from './platform/http/webServer.ts';
import { naming } from './platform/namedError.ts';
import { addressesOf, openPage, openRedirects, outboxOf, type Address } from './start.ts';

/**
 * Does what `serve` does until it listens, without changing anything, and opens and closes its ports.
 *
 * @param isProvided whether the start need not open an address: systemd does, or the running process gives it up before.
 * @returns how the schema of the database compares with this release.
 * @throws Error if the service would not start, or would wait: for its database, or for its certificate.
 */
export async function tryStart(
  variables: Variables,
  deployment: Deployment | null,
  logger: Logger,
  isProvided: (address: Address) => Promise<boolean>,
): Promise<SchemaState> {
  const environment = readEnvironment(variables);
  const { calls, redirects, metrics } = addressesOf(environment, deployment !== null);
  await tryAddresses([calls, redirects, metrics], isProvided);
  const schema = await tryService({
    ...environment.service,
    schema: 'require',
    outbox: outboxOf(environment),
    logger,
  });
  if (environment.tls !== undefined) await readPair(environment.tls);
  if (deployment === null) return schema;
  if (redirects !== null) await (await openRedirects(environment, deployment)).close();
  await (await openPage(environment, deployment, logger, null)).close();
  return schema;
}

async function tryAddresses(
  addresses: readonly (Address | null)[],
  isProvided: (address: Address) => Promise<boolean>,
): Promise<void> {
  const opened: Server[] = [];
  try {
    for (const address of addresses) {
      if (address === null || (await isProvided(address))) continue;
      const server = createServer();
      const { variable, ...at } = address;
      await naming(variable, () => once(server.listen(at), 'listening'));
      opened.push(server);
    }
  } finally {
    for (const server of opened) server.close();
  }
}
