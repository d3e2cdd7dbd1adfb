import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { format, promisify, stripVTControlCharacters } from 'node:util';
import { collectDefaultMetrics } from 'prom-client';
import type { Tables } from './core/database/tables.ts';
import {
  createService,
  smtpMail,
  twilioText,
  webhookText,
  type Logger,
  type Outbox,
  type Service,
} from './index.ts';
import type { Deployment } from './deployment.ts';
import { repeat } from './platform/background.ts';
import { connect } from './platform/database/connect.ts';
import { fillEmailKeys } from './core/database/emailKeys.ts';
import { migrateOneByOne } from './platform/database/migrate.ts';
import { isDatabaseAway, retryWhileAway } from './platform/database/retry.ts';
import { serveMetrics } from './platform/metrics/serveMetrics.ts';
import { startTraces } from './platform/metrics/traces.ts';
import type { LogLevel } from './platform/settings/options.ts';
import { listenForHttp, listenForHttps, type WebServer } from './platform/http/webServer.ts';
import { readEnvironment, type Environment, type Variables } from './environment.ts';
import { filesOfBuild, filesOfThemes } from './page/builtFiles.ts';
import { dispatchByHost, hostsOf } from './page/dispatch.ts';
import type { KeptFiles } from './page/keptFiles.ts';
import { builtPage, createPageHost } from './page/pageHost.ts';
import { createRedirect } from './page/redirect.ts';
import { migrations } from './slots.ts';
import { commit, version } from './version.ts';

/** How long the start waits for the database. The systemd unit allows three times as long for the whole start. */
const databaseMilliseconds = 60_000;

const stopSignals = ['SIGINT', 'SIGTERM'] as const;

/** How long the shutdown waits for open connections and calls in progress. */
const lastCallsMilliseconds = 5_000;

/** Writes one JSON object per line, for a log collector. */
export const logger = logTo(process.stdout);

/** Logs to standard error, for commands whose standard output is their result. */
export const stderrLogger = logTo(process.stderr);

function logTo(stream: NodeJS.WriteStream): Logger {
  // A collector that has ended does not end the process. `console` ignores that too, but its calls cost much more.
  stream.on('error', () => undefined);
  let lines = '';
  const flush = (): void => {
    if (lines !== '') stream.write(lines);
    lines = '';
  };
  process.on('exit', flush);
  const at =
    (level: LogLevel): Logger['info'] =>
    (event, fields) => {
      // One write for all lines of a turn of the event loop: under load it costs more than the line.
      if (lines === '') setImmediate(flush);
      lines += `${JSON.stringify({ level, time: new Date().toISOString(), event, ...fields })}\n`;
      if (level === 'error') flush();
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

/** Logs what libraries write to the console, because each line of the log is JSON. */
export function logConsole(logger: Logger): void {
  const at =
    (level: LogLevel): Console['log'] =>
    (...given) => {
      logger[level]('console', { text: stripVTControlCharacters(format(...given)) });
    };
  Object.assign(console, { log: at('info'), info: at('info'), warn: at('warn'), error: at('error') });
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
 * Runs a process until a signal stops it: the service, and with a deployment also the page on its hosts.
 *
 * @throws Error if it cannot start.
 */
export async function serve(variables: Variables, deployment: Deployment | null): Promise<void> {
  const environment = readEnvironment(variables);
  const logger = atLeast(environment.logLevel);
  logConsole(logger);
  // The first process of a container ignores a signal that it does not listen to.
  const leave = (): never => process.exit(0);
  for (const signal of stopSignals) process.once(signal, leave);
  const outbox = outboxOf(environment);
  const endTraces = environment.traces && (await startTraces(environment.traces, logger));
  const sockets = socketsOfSystemd();
  const redirect = deployment && (await listenForRedirects(environment, deployment, sockets[1], logger));
  if (deployment !== null && 'url' in environment.service.database)
    await whenDatabaseComes(logger, () => migrate(variables, logger));
  const service = await whenDatabaseComes(logger, () =>
    createService({ ...environment.service, schema: 'require', outbox, logger }),
  );
  let isDraining = false;
  const page = deployment && (await servePage(environment, deployment, service, logger));
  const handle = page?.handle ?? service.handle;
  const listener: RequestListener = (request, response) => {
    if (isDraining && request.httpVersionMajor === 1) response.setHeader('Connection', 'close');
    handle(request, response);
  };
  const server = await listening(environment, service, listener, sockets[0], logger).catch(
    async (error: unknown) => {
      await service.close();
      throw error;
    },
  );
  if (outbox.sendMail === undefined) logger.warn('mails are not sent: nothing is configured for them');
  if (outbox.sendTextMessage === undefined)
    logger.warn('text messages are not sent: nothing is configured for them');
  logger.info('listening', { port: environment.port, version, commit });

  // A proxy needs time to notice. systemd queues new connections for the next process; this one only reads what has arrived.
  const drainSeconds = sockets.length > 0 ? 0.1 : environment.drainSeconds;
  const finish = async (): Promise<void> => {
    isDraining = true;
    await service.drain(drainSeconds);
    // Calls on connections that the proxy has already opened are still served; refusing them would fail a sign-in.
    // The page last: it would answer 503 to calls that still arrive on open connections.
    const ended = Promise.all([server.close().then(() => page?.close()), redirect?.close()]);
    await Promise.race([ended, pause(lastCallsMilliseconds, undefined, { ref: false })]);
    await service.close();
    await endTraces?.();
  };
  const stop = (): void => {
    logger.info('stopping', { afterSeconds: drainSeconds });
    finish().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error('stopping failed', { reason: error instanceof Error ? error.message : 'unknown' });
        process.exit(1);
      },
    );
  };
  for (const signal of stopSignals) process.off(signal, leave).once(signal, stop);
  if (process.env['NOTIFY_SOCKET'] !== undefined) await reportReady(logger);
}

/** systemd-notify fails if systemd does not read the message within 5 s, as on a busy machine. */
const reports = 24;

/** systemd then considers the process as started (Type=notify). */
async function reportReady(logger: Logger): Promise<void> {
  for (let left = reports - 1; ; left -= 1) {
    try {
      await promisify(execFile)('systemd-notify', ['--ready']);
      return;
    } catch (error) {
      if (left === 0) throw error;
      logger.warn('systemd does not respond', { reason: error instanceof Error ? error.message : 'unknown' });
    }
  }
}

/** The sockets that systemd has opened for this process: that of the service, then that of redirects (sd_listen_fds(3)). */
function socketsOfSystemd(): readonly number[] {
  const { LISTEN_PID, LISTEN_FDS } = process.env;
  return LISTEN_PID === String(process.pid)
    ? Array.from({ length: Number(LISTEN_FDS) }, (_one, index) => 3 + index)
    : [];
}

/** Before the database is there, because the first certificate needs it. */
async function listenForRedirects(
  environment: Environment,
  deployment: Deployment,
  fd: number | undefined,
  logger: Logger,
): Promise<WebServer | null> {
  const { redirects } = addressesOf(environment, true);
  if (redirects === null) return null;
  const app = await openRedirects(environment, deployment);
  return listenForHttp(
    (request, response) => {
      app.routing(request, response);
    },
    fd === undefined ? redirects : { fd },
    logger,
  );
}

/** The redirects to https, ready for requests. */
export function openRedirects(
  { acmeFolder }: Environment,
  { page }: Deployment,
): ReturnType<typeof createRedirect> {
  const { port } = new URL(page.signOnUrl);
  return createRedirect(hostsOf(page), port === '' ? 443 : Number(port), acmeFolder);
}

/** The production build: beside the package in the sources, in a release and in an image. */
export const build = fileURLToPath(new URL('../../../dist', import.meta.url));

/** The page on its hosts, and the service on its own. */
async function servePage(
  environment: Environment,
  deployment: Deployment,
  service: Service,
  logger: Logger,
): Promise<{ readonly handle: RequestListener; readonly close: () => Promise<void> }> {
  const { keptFiles } = service;
  const keep = async (): Promise<void> => {
    await keptFiles.keep(await filesOfBuild(build));
    await keptFiles.keep(filesOfThemes(deployment.themes));
  };
  const host = await openPage(environment, deployment, logger, keptFiles);
  await keep();
  const stopKeeping = repeat(
    {
      name: 'keeping the files of the page',
      everyMilliseconds: 3_600_000,
      startsNow: false,
      logger,
      onFailure: service.countBackgroundFailure,
    },
    keep,
  );
  const page: RequestListener = (request, response) => {
    service.noteForwarding(request);
    host.routing(request, response);
  };
  return {
    handle: dispatchByHost(deployment.page, page, service.handle, logger),
    close: async () => {
      await stopKeeping();
      await host.close();
    },
  };
}

/** The hosts of the page, ready for requests. @throws Error without a build. */
export async function openPage(
  { service: { trustedProxies = [], transportSecurity } }: Environment,
  { page: config, themes }: Deployment,
  logger: Logger,
  keptFiles: Pick<KeptFiles, 'find'> | null,
): ReturnType<typeof createPageHost> {
  if (!existsSync(path.join(build, 'index.html')))
    throw new Error(`There is no build of the page in ${build}.`);
  return createPageHost({
    config,
    themes,
    source: builtPage(build, config, { themes }),
    ...(keptFiles && { keptFiles }),
    facts: () => ({ ...(transportSecurity === undefined ? {} : { transportSecurity }) }),
    logger,
    trustedProxies,
  });
}

/**
 * Brings the schema of the database up to date, and logs each migration when it is done.
 *
 * @throws Error if the database does not respond, or a migration fails.
 */
export async function migrate(variables: Variables, logger: Logger): Promise<void> {
  const { service } = readEnvironment(variables);
  const { db, close } = await connect<Tables>(service.database, logger, { isUnlimited: true });
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

/** Where a process listens, and the variable that says so. */
export interface Address {
  readonly variable: string;
  readonly port: number;
  /** Absent: on all addresses. */
  readonly host?: string;
}

/** The addresses of a process, `null` where it has none. systemd passes its sockets in this order. */
export function addressesOf(
  { port, host, tls, redirectPort, metrics }: Environment,
  hasPage: boolean,
): { readonly calls: Address; readonly redirects: Address | null; readonly metrics: Address | null } {
  const on = host === undefined ? {} : { host };
  const redirects = hasPage && tls !== undefined ? redirectPort : undefined;
  return {
    calls: { variable: 'PORT', port, ...on },
    redirects: redirects === undefined ? null : { variable: 'REDIRECT_PORT', port: redirects, ...on },
    metrics: metrics === undefined ? null : { variable: 'METRICS_PORT', ...metrics },
  };
}

async function listening(
  environment: Environment,
  service: Service,
  listener: RequestListener,
  fd: number | undefined,
  logger: Logger,
): Promise<WebServer> {
  const { tls, metrics } = environment;
  if (metrics !== undefined) {
    collectDefaultMetrics({ register: service.metrics });
    await serveMetrics(service.metrics, metrics);
  }
  const endpoint = fd === undefined ? addressesOf(environment, true).calls : { fd };
  return tls === undefined
    ? listenForHttp(listener, endpoint, logger)
    : listenForHttps(listener, endpoint, tls, logger, service.countBackgroundFailure);
}
