import path from 'node:path';
import type { Logger } from '@vestibule/service';
import { originOf, portFrom } from './hosts.ts';
import { startEnvironment, type RunningEnvironment } from './localEnvironment.ts';

/** What `npm start` was asked for. */
export interface StartOptions {
  readonly production: boolean;
  readonly fresh: boolean;
  readonly projectFolder: string;
}

/**
 * Brings up the environment for a person: on the port in `PORT`, with its state in `.local/`, until Ctrl+C.
 *
 * @throws Error with a message for that person: port taken, port not a number.
 */
export async function start({ production, fresh, projectFolder }: StartOptions): Promise<void> {
  const port = portFrom(process.env['PORT']);
  const databaseUrl = process.env['DATABASE_URL'];
  const starting = startEnvironment({
    port,
    mode: production ? 'production' : 'development',
    projectFolder,
    // One folder a port: two environments never open the same database, and applications keep their addresses.
    stateFolder: path.join(projectFolder, '.local', String(port)),
    ...(databaseUrl === undefined || databaseUrl === '' ? {} : { databaseUrl }),
    fresh,
    logger: consoleLogger,
  });
  stopOnSignal(starting);
  console.log(welcome(await starting, production));
}

function welcome({ port }: RunningEnvironment, production: boolean): string {
  return `
Vestibule is running${production ? ' (production build)' : ''}. Start here, with an account for each journey:

  ${originOf('start', port)}

  sign in   ${originOf('app', port)}/login
  outbox    ${originOf('outbox', port)}

If the browser does not find these addresses: http://localhost:${port}, at the end of the page.
Ctrl+C stops it.`;
}

/**
 * Ends the process with 0 once everything is closed, also when it had not yet begun to run. Ctrl+C reaches this
 * process from the terminal and once more from npm, so a repeated signal is not impatience.
 */
function stopOnSignal(starting: Promise<RunningEnvironment>): void {
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
