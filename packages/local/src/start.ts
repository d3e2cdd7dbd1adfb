import path from 'node:path';
import type { Logger } from '@vestibule/service';
import { ledger, ownClient } from './clients.ts';
import { originOf, portFrom } from './hosts.ts';
import {
  startEnvironment,
  startPages,
  type PageOptions,
  type RunningEnvironment,
  type RunningPages,
} from './localEnvironment.ts';

/** What a person asked for on the command line. */
interface StartOptions extends Pick<
  PageOptions,
  'applications' | 'distFolder' | 'development' | 'languages'
> {
  /** The port as it was typed. Default: 4000. */
  readonly port: string | undefined;
  readonly fresh: boolean;
  /** The state is in a folder below it, named after the port. */
  readonly stateFolder: string;
  /** A PostgreSQL server instead of the embedded one. */
  readonly databaseUrl?: string;
  /** The id of a client to add to the bundled service. */
  readonly client?: string;
  /** A service of a team's own instead of the bundled one. */
  readonly serviceUrl?: string;
}

/**
 * Brings up the environment for a person, until Ctrl+C.
 *
 * @throws Error with a message for that person: port taken, port not a number, client taken.
 */
export async function start(options: StartOptions): Promise<void> {
  const { serviceUrl, stateFolder, client, ...rest } = options;
  const port = portFrom(options.port);
  const own = client === undefined ? null : ownClient(client);
  const starting =
    serviceUrl === undefined
      ? startEnvironment({
          ...rest,
          applications: [...(rest.applications ?? []), ...(own === null ? [] : [own.origin])],
          port,
          // Each port has a folder, so that two environments never open the same database.
          stateFolder: path.join(stateFolder, String(port)),
          logger: consoleLogger,
          ...(own === null ? {} : { service: { clients: [own.client] } }),
        })
      : startPages({ ...rest, port, serviceUrl, logger: consoleLogger });
  stopOnSignal(starting);
  const clients = own === null ? [ledger] : [ledger, { id: own.client.id, secret: own.secret }];
  console.log(welcome(await starting, clients));
}

/** @param clients that have payments confirmed. */
function welcome(
  running: RunningPages | RunningEnvironment,
  clients: readonly { readonly id: string; readonly secret: string }[],
): string {
  const { port, config } = running;
  const isBundled = 'service' in running;
  const credentials = clients.map(({ id, secret }) => `\n  client    ${id}, with the secret ${secret}`);
  return `
Vestibule is running${isBundled ? '. Start here, with an account for each journey' : ` in front of ${config.serviceUrl}. Start here`}:

  ${originOf('start', port)}

  sign in   ${originOf('app', port)}/login${isBundled ? `\n  outbox    ${originOf('outbox', port)}${credentials.join('')}` : ''}

If the browser does not find these addresses: http://localhost:${port}, at the end of the page.
Ctrl+C stops it.`;
}

/**
 * Ends the process with 0 once everything is closed, also when it had not yet begun to run. npm forwards Ctrl+C, so the signal
 * comes twice.
 */
function stopOnSignal(starting: Promise<RunningPages>): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    // A database that does not close must not hold the terminal.
    setTimeout(() => process.exit(1), 20_000).unref();
    try {
      const environment = await starting;
      await environment.close();
      process.exit(0);
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
}

const consoleLogger: Logger = {
  info: () => undefined,
  warn: (event, fields) => {
    console.warn(event, fields ?? '');
  },
  error: (event, fields) => {
    console.error(event, fields ?? '');
  },
};
