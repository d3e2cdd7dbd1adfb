import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { collectDefaultMetrics } from 'prom-client';
import {
  createService,
  smtpMail,
  twilioText,
  webhookText,
  type Logger,
  type Outbox,
  type Service,
} from './index.ts';
import { connect } from './platform/database/connect.ts';
import { fillEmailKeys } from './platform/database/emailKeys.ts';
import { migrateOneByOne } from './platform/database/migrate.ts';
import { isDatabaseAway, retryWhileAway } from './platform/database/retry.ts';
import { serveMetrics } from './platform/metrics/serveMetrics.ts';
import { startTraces } from './platform/metrics/traces.ts';
import type { LogLevel } from './platform/settings/options.ts';
import { readEnvironment, withSecretFiles, type Environment } from './environment.ts';
import { migrations } from './slots.ts';
import { commit, version } from './version.ts';

/** How long the start waits for the database. The systemd unit allows three times as long for the whole start. */
const databaseMilliseconds = 60_000;

/** How long the shutdown waits for open connections and calls in progress. */
const lastCallsMilliseconds = 5_000;

/** Writes one JSON object per line, for a log collector. */
export const logger = logTo(process.stdout);

/** Logs to standard error, for commands whose standard output is their result. */
export const stderrLogger = logTo(process.stderr);

function logTo(stream: NodeJS.WriteStream): Logger {
  // A collector that has ended does not end the process. `console` ignores that too, but its calls cost much more.
  stream.on('error', () => undefined);
  const at =
    (level: LogLevel): Logger['info'] =>
    (event, fields) => {
      stream.write(`${JSON.stringify({ level, time: new Date().toISOString(), event, ...fields })}\n`);
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

function atLeast(level: LogLevel): Logger {
  const ignore = (): void => undefined;
  return {
    info: level === 'info' ? logger.info : ignore,
    warn: level === 'error' ? ignore : logger.warn,
    error: logger.error,
  };
}

/** The configured senders of mails and text messages. */
export function outboxOf({ smtp, twilio, textWebhook }: Environment): Outbox {
  return {
    ...(smtp === undefined ? {} : smtpMail(smtp)),
    ...(twilio === undefined ? {} : twilioText(twilio)),
    ...(textWebhook === undefined ? {} : webhookText(textWebhook)),
  };
}

/**
 * Runs the service as a process, configured by environment variables, until a signal stops it.
 *
 * @throws Error if it cannot start.
 */
export async function serve(): Promise<void> {
  const environment = readEnvironment(withSecretFiles(process.env));
  const logger = atLeast(environment.logLevel);
  const outbox = outboxOf(environment);
  const endTraces = environment.traces && (await startTraces(environment.traces, logger));
  const service = await whenDatabaseComes(logger, () =>
    createService({ ...environment.service, schema: 'require', outbox, logger }),
  );
  const server = await listening(environment, service).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  if (outbox.sendMail === undefined) logger.warn('mails are not sent: nothing is configured for them');
  if (outbox.sendTextMessage === undefined)
    logger.warn('text messages are not sent: nothing is configured for them');
  logger.info('listening', { host: environment.host, port: environment.port, version, commit });

  const finish = async (): Promise<void> => {
    await service.drain(environment.drainSeconds);
    // Calls on connections that the proxy has already opened are still served; refusing them would fail a sign-in.
    const ended = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    await Promise.race([ended, pause(lastCallsMilliseconds, undefined, { ref: false })]);
    await service.close();
    await endTraces?.();
  };
  const stop = (): void => {
    logger.info('stopping', { afterSeconds: environment.drainSeconds });
    finish().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error('stopping failed', { reason: error instanceof Error ? error.message : 'unknown' });
        process.exit(1);
      },
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  // systemd then considers the process as started (Type=notify). The program returns when systemd has read the message.
  if (process.env['NOTIFY_SOCKET'] !== undefined) await promisify(execFile)('systemd-notify', ['--ready']);
}

/**
 * Brings the schema of the database up to date, and logs each migration when it is done.
 *
 * @throws Error if the database does not respond, or a migration fails.
 */
export async function migrate(): Promise<void> {
  const { service } = readEnvironment(withSecretFiles(process.env));
  const { db, close } = await connect(service.database, logger, { isUnlimited: true });
  try {
    let begun = performance.now();
    await migrateOneByOne(db, migrations, (migration) => {
      logger.info('migrated', { migration, milliseconds: Math.round(performance.now() - begun) });
      begun = performance.now();
    });
    await fillEmailKeys(db, logger);
    logger.info('the schema is up to date');
  } finally {
    await close();
  }
}

/**
 * Starts as soon as the database accepts calls. The database may come up after this process, and another process would take seconds
 * to start.
 *
 * @throws the error of the last try, after `databaseMilliseconds`.
 */
function whenDatabaseComes<Result>(logger: Logger, start: () => Promise<Result>): Promise<Result> {
  const reportingStart = () =>
    start().catch((error: unknown) => {
      if (isDatabaseAway(error))
        logger.warn('waiting for the database', {
          reason: error instanceof Error ? error.message : 'unknown',
        });
      throw error;
    });
  return retryWhileAway(reportingStart, { forMs: databaseMilliseconds });
}

async function listening({ port, host, tls, metrics }: Environment, service: Service): Promise<Server> {
  if (metrics !== undefined) {
    collectDefaultMetrics({ register: service.metrics });
    await serveMetrics(service.metrics, metrics);
  }
  // Longer than the 60 s for which proxies commonly keep a connection, so that the proxy closes it first.
  const timeouts = { requestTimeout: 15_000, headersTimeout: 10_000, keepAliveTimeout: 75_000 };
  const server =
    tls === undefined
      ? createServer(timeouts, service.handle)
      : createTlsServer({ ...timeouts, ...tls }, service.handle);
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
