import type { IncomingMessage, RequestListener } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Registry } from 'prom-client';
import type { Tables } from './core/database/tables.ts';
import { removeOldEntries } from './core/audit/auditLog.ts';
import { repeat } from './platform/background.ts';
import { capabilities } from './capabilities.ts';
import { connect, type Database } from './platform/database/connect.ts';
import { fillEmailKeys } from './core/database/emailKeys.ts';
import { removeExpired } from './core/database/removeExpired.ts';
import { advisoryLock } from './platform/database/advisoryLock.ts';
import {
  isSchemaCurrent,
  migrateToLatest,
  requireSchema,
  schemaState,
  type SchemaState,
} from './platform/database/migrate.ts';
import { createContext } from './createContext.ts';
import { createDirectory } from './directory/createDirectory.ts';
import { createKeptFiles, type KeptFiles } from './page/keptFiles.ts';
import { createApplication, type Obstacle } from './platform/http/application.ts';
import { countInFlight, createProgress } from './platform/http/inFlight.ts';
import type { Operation, OperationId } from './core/http/operations.ts';
import { watchForwarding } from './platform/http/network.ts';
import {
  openEncryptionKeys,
  signOfLifeMilliseconds,
  unregistered,
  type EncryptionKeys,
} from './core/keys/encryptionKeys.ts';
import { openStoredSecrets } from './core/keys/sealStoredSecrets.ts';
import { createSecretBox, KeyFault, type SecretBox } from './platform/security/secretBox.ts';
import {
  addSigningKey,
  loadSigningKeys,
  reloadMilliseconds,
  retireSigningKeys,
  type SigningKeys,
} from './core/keys/signingKeys.ts';
import type { ServiceContext } from './core/context.ts';
import { readClient } from './core/clients/readClient.ts';
import { readBearer } from './session/readBearer.ts';
import { checkDeployment } from './core/settings/checkDeployment.ts';
import {
  operations,
  closeCapabilities,
  foreignRoutes,
  directoryParts,
  migrations,
  settingsParts,
  slots,
  startWork,
  type Directory,
  type ServiceOptions,
  type Settings,
} from './slots.ts';
import { registerContractRoutes, type ContractParts } from './core/http/contractRoutes.ts';
import { registerForeignRoutes } from './core/http/foreignRoutes.ts';
import { limitsOf } from './platform/http/limiter.ts';
import {
  settingsFrom,
  type RateLimit,
  type RateLimits,
  type ServiceSettings,
} from './core/settings/options.ts';

/** How long `/ready` waits for a database that does not respond: a proxy waits for seconds. */
const readyMilliseconds = 2_000;

/** How long `close` waits for calls in progress, and for background work. */
const closeMilliseconds = 10_000;

const readableSecrets =
  'ENCRYPTION_KEY is not set: the signing key and the secrets of authenticator apps are stored as plaintext';

/** A running service. */
export interface Service {
  /** The request listener, for an HTTP server of your own. */
  readonly handle: RequestListener;
  readonly directory: Directory;
  /** The hashed files of the page of the last releases. */
  readonly keptFiles: KeptFiles;
  /** Metrics for Prometheus, without those of the process (`collectDefaultMetrics`). */
  readonly metrics: Registry;
  /**
   * Starts the shutdown: `/ready` responds with 503, and connections close after their next response. Calls are still
   * served. Resolves after `seconds`, in which a proxy can notice.
   */
  readonly drain: (seconds: number) => Promise<void>;
  /** Counts a failure of background work in the metrics, by the name of the work. @param times 0 to count from zero. */
  readonly countBackgroundFailure: (work: string, times?: number) => void;
  /** Counts a request that other listeners handle if its `X-Forwarded-For` is not believed. `handle` does so itself. */
  readonly noteForwarding: (request: IncomingMessage) => void;
  /** Completes the calls in progress, then closes the database. Idempotent. */
  readonly close: () => Promise<void>;
}

/**
 * Starts the sign-on service: opens the database, updates its schema, and loads or creates the signing keys.
 *
 * @throws Error if an option is invalid, the encryption key does not match the database's, the database cannot be
 * opened, its folder is in use, or its schema cannot be updated.
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const opened = await openDatabase(options);
  try {
    return await serve(opened, await prepare(opened, await prepareDatabase(opened)));
  } catch (error) {
    await opened.database.close();
    throw error;
  }
}

/**
 * Does what `createService` does until its periodic work starts, without changing anything: in one transaction, which is rolled back.
 * An empty database gets its schema in it; an older one is not migrated, because running processes would wait.
 *
 * @returns how the schema compares with this release.
 * @throws Error as `createService`; also if the database does not respond at once.
 */
export async function tryService(options: ServiceOptions): Promise<SchemaState> {
  const opened = await openDatabase(options, { isTrial: true });
  const { database } = opened;
  try {
    const schema = await schemaState(database.db, migrations);
    const isOlder = !schema.isEmpty && schema.missing.length > 0;
    try {
      const encryptionKeys = await (isOlder ? openOlder(opened) : prepareDatabase(opened));
      const { app, context } = await prepare(opened, encryptionKeys);
      await closeCapabilities(context);
      await app.close();
      if (!context.keys.isComplete())
        throw new KeyFault(
          'The signing key that signs now does not open: replace it with `vestibule keys revoke`.',
        );
    } catch (error) {
      if (!isOlder || !lacksTableOrColumn(error)) throw error;
    }
    return schema;
  } finally {
    await database.close();
  }
}

/** A schema that is older may lack the tables of the keys, but its secrets must open. */
async function openOlder({ database: { db }, secretBox }: Opened): Promise<EncryptionKeys> {
  await db.transaction().execute((trx) => openStoredSecrets(trx, secretBox, 'some'));
  return unregistered;
}

/** What an older schema lacks, the start has. */
const lacksTableOrColumn = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['42P01', '42703'].includes(String(error.code));

interface Opened {
  readonly settings: Settings;
  readonly database: Database<Tables>;
  readonly secretBox: SecretBox;
}

async function openDatabase(options: ServiceOptions, how?: { readonly isTrial: true }): Promise<Opened> {
  const settings = settingsFrom<Settings>(options, settingsParts.defaults);
  checkDeployment(settings);
  settingsParts.check(settings);
  const secretBox = createSecretBox(settings.encryptionKey);
  return { settings, secretBox, database: await connect<Tables>(settings.database, settings.logger, how) };
}

/** Reads keys and files, and makes the HTTP application. Only `createService` starts what runs beside calls. */
async function prepare({ settings, database, secretBox }: Opened, encryptionKeys: EncryptionKeys) {
  const { db } = database;
  const keys = await loadSigningKeys(db, secretBox, settings.now, settings.logger, settings);
  const base = { settings, database, secretBox, encryptionKeys, keys };
  const state = { isDraining: false, progress: createProgress() };
  const obstacle = () =>
    state.isDraining ? Promise.resolve('stopping' as const) : obstacleOf(database, { keys, encryptionKeys });
  const isReady = async () => (await obstacle()) === null;
  const { context, contextOf, metrics } = await createContext({ ...base, isReady });
  const limits: RateLimits = limitsOf<RateLimit>(settings.rateLimit);
  const contract: ContractParts = {
    settings,
    contextOf,
    extensions: capabilities.map(({ name }) => name),
    operations: Object.fromEntries(
      Object.entries(operations).map(([id, carryOut]: [string, Operation<OperationId>]) => [
        id,
        (...given: Parameters<typeof carryOut>) => state.progress.during(carryOut(...given)),
      ]),
    ),
    readBearer: (authorization) => readBearer(context, authorization),
    readClient: (authorization, { network }) => readClient(context, authorization, network),
  };
  const routes = foreignRoutes(settings).map(({ handle, ...route }) => ({
    ...route,
    handle: (...given: Parameters<typeof handle>) => state.progress.during(handle(...given)),
  }));
  const app = await createApplication({
    settings,
    limits,
    registerRoutes: async (app) => {
      registerContractRoutes(app, contract, limits);
      await registerForeignRoutes(app, { contextOf, settings, routes }, limits);
    },
    publicKeys: keys.publicKeys,
    timeRequest: metrics.timeRequest,
    ping: async () => {
      await sql`select 1`.execute(database.withoutRetry);
    },
    obstacle,
    unavailable: database.availability.obstacle,
  });
  return { context, metrics, app, state };
}

async function serve(
  { settings, database, secretBox }: Opened,
  { context, metrics, app, state }: Awaited<ReturnType<typeof prepare>>,
): Promise<Service> {
  const stopWork = startPeriodicWork(context, metrics.countBackgroundFailure, database.availability.probe);
  const stopCapabilities = await startWork(context, {
    listen: database.listen,
    onFailure: metrics.countBackgroundFailure,
  });
  const noteForwarding = watchForwarding(
    settings.trustedProxies,
    settings.logger,
    metrics.countUntrustedForwarding,
  );
  const requests = countInFlight(
    (request, response) => {
      noteForwarding(request);
      app.routing(request, response);
    },
    settings.languages,
    state.progress,
  );
  const close = async (): Promise<void> => {
    // From now on calls are refused, and streams end.
    const stopped = closeCapabilities(context);
    await requests.finish(closeMilliseconds);
    await stopped;
    await app.close();
    await stopCapabilities();
    await stopWork();
    // Without the database, the process counts as running for a while.
    await context.encryptionKeys.leave().catch(() => undefined);
    await database.close();
  };
  let closing: Promise<void> | undefined;
  const drain = async (seconds: number): Promise<void> => {
    state.isDraining = true;
    requests.endKeepAlive();
    await closeCapabilities(context);
    await setTimeout(seconds * 1000, undefined, { ref: false });
  };
  return {
    handle: requests.handle,
    drain,
    metrics: metrics.registry,
    countBackgroundFailure: metrics.countBackgroundFailure,
    noteForwarding,
    directory: createDirectory(context, directoryParts),
    keptFiles: createKeptFiles({ db: context.db, secretBox, logger: settings.logger }),
    close: () => (closing ??= close()),
  };
}

/** Brings the schema up to date, or requires that it is, and opens the encryption keys. */
async function prepareDatabase({ settings, database: { db }, secretBox }: Opened): Promise<EncryptionKeys> {
  // No other process migrates the embedded database.
  const isServer = 'url' in settings.database;
  await (isServer && settings.schema === 'require'
    ? requireSchema(db, migrations)
    : migrateToLatest(db, migrations));
  await fillEmailKeys(db, settings.logger);
  const encryptionKeys = await openEncryptionKeys(db, secretBox, settings.logger);
  const isInMemory = 'folder' in settings.database && settings.database.folder === null;
  if (!secretBox.hasKey && !isInMemory) settings.logger.warn(readableSecrets);
  return encryptionKeys;
}

/** Starts housekeeping, signs of life, reading the signing keys and sending messages. @returns stops them. */
function startPeriodicWork(
  context: ServiceContext,
  onFailure: (work: string, times?: number) => void,
  compareClocks: () => Promise<void>,
): () => Promise<void> {
  const { db, settings, secretBox, encryptionKeys, keys, messages, background } = context;
  const reports = { logger: settings.logger, onFailure };
  const stopHousekeeping = repeat(
    { name: 'housekeeping', everyMilliseconds: 900_000, startsNow: true, ...reports },
    async () => {
      await compareClocks();
      await advisoryLock(db, async (own) => {
        await removeExpired(own, settings);
        await slots.cleanUp({ ...context, db: own });
        await fillEmailKeys(own, settings.logger);
        await removeOldEntries(own, settings.now, settings.auditDays);
        await keepKeys(settings, own, secretBox);
      });
    },
  );
  const stopReading = repeat(
    { name: 'reading the signing keys', everyMilliseconds: reloadMilliseconds, startsNow: false, ...reports },
    keys.reload,
  );
  const stopRenewing = repeat(
    { name: 'the sign of life', everyMilliseconds: signOfLifeMilliseconds, startsNow: false, ...reports },
    encryptionKeys.renew,
  );
  const stopMessages = messages.start();
  return async () => {
    stopMessages();
    await background.settle(closeMilliseconds);
    await stopHousekeeping();
    await stopReading();
    await stopRenewing();
  };
}

async function obstacleOf(
  { availability, withoutRetry }: Database<Tables>,
  { keys, encryptionKeys }: { readonly keys: SigningKeys; readonly encryptionKeys: EncryptionKeys },
): Promise<Obstacle | null> {
  const known = availability.obstacle();
  if (known !== null) return known;
  try {
    const silence = setTimeout(readyMilliseconds, 'database' as const, { ref: false });
    const schema = isSchemaCurrent(withoutRetry, migrations).then((isCurrent) =>
      isCurrent ? null : 'schema',
    );
    const found = await Promise.race([schema, silence]);
    if (found !== null) return found;
  } catch {
    return 'database';
  }
  return keys.isComplete() && encryptionKeys.isComplete() ? null : 'keys';
}

/** Adds and retires signing keys by their age. */
async function keepKeys(
  settings: ServiceSettings,
  db: Database<Tables>['db'],
  box: SecretBox,
): Promise<void> {
  const { logger, trustedDeviceSeconds, accessTokenSeconds, setupTokenSeconds } = settings;
  const longestSeconds = Math.max(trustedDeviceSeconds, accessTokenSeconds, setupTokenSeconds);
  await retireSigningKeys(db, settings.now, longestSeconds * 1000);
  const added = await addSigningKey(db, box, settings.now, settings.signingKeySeconds * 1000);
  if (added !== null)
    logger.info('signing key added', { kid: added.kid, signsFrom: added.signsFrom.toISOString() });
}
