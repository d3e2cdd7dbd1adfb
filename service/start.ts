/** Runs the service alone: `node --import tsx service/start.ts`. Its variables are listed in `README.md`. */
import { createServer, type Server } from 'node:http';
import { createService, noOutbox, smtpMail, type Logger, type Service } from '.';
import { EnvironmentError, readEnvironment, type Environment } from './settings/environment';

/** One JSON object a line, for a deployment's log collector. */
const logger: Logger = {
  info: (event, fields) => {
    console.log(JSON.stringify({ level: 'info', time: new Date().toISOString(), event, ...fields }));
  },
  warn: (event, fields) => {
    console.warn(JSON.stringify({ level: 'warn', time: new Date().toISOString(), event, ...fields }));
  },
  error: (event, fields) => {
    console.error(JSON.stringify({ level: 'error', time: new Date().toISOString(), event, ...fields }));
  },
};

async function main(): Promise<void> {
  const environment = readEnvironment(process.env);
  const { smtp } = environment;
  const outbox = smtp === undefined ? noOutbox : { ...noOutbox, ...smtpMail(smtp) };
  const service = await createService({ ...environment.service, outbox, logger });
  const server = await listen(environment, service);
  // The command line configures no carrier: a deployment that sends text messages starts the service from code.
  logger.warn(
    `text messages ${smtp === undefined ? 'and mails ' : ''}are not sent: nothing is configured for them`,
  );
  logger.info('listening', { host: environment.host, port: environment.port });

  const stop = (): void => {
    server.close();
    server.closeIdleConnections();
    service.close().then(
      () => process.exit(0),
      (error: unknown) => {
        fail(error);
      },
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function listen({ port, host }: Environment, service: Service): Promise<Server> {
  // Longer than the 60 s for which proxies commonly keep a connection, so that it is never we who drop it in mid-use.
  const timeouts = { requestTimeout: 15_000, headersTimeout: 10_000, keepAliveTimeout: 75_000 };
  const server = createServer(timeouts, service.handle);
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      service.close().then(() => {
        reject(error);
      }, reject);
    });
    server.listen(port, host, () => {
      resolve(server);
    });
  });
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : 'unknown';
  console.error(error instanceof EnvironmentError ? `${message} See service/README.md.` : message);
  process.exit(1);
}

main().catch(fail);
