import { rm } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { createService, type Logger, type Service, type ServiceOptions } from '../service/index';
import { readyAccounts, type ReadyAccount } from './accounts';
import { appHost, builtApp, worldHeaders, type AppSource } from './app/appHost';
import type { DevelopmentApp } from './app/developmentApp';
import { createControlled, type Controlled } from './control/controlled';
import { dispatcher, upgradeDispatcher, type Hosts } from './dispatch';
import { originOf } from './hosts';
import { listenOnBoth } from './listen';
import { openOutbox } from './outbox';
import { worldConfig, type WorldConfig } from './worldConfig';
import { seed, worldPages } from './worldHosts';

/** How a world is started. */
export interface WorldOptions {
  /** Port of every host; 0 takes a free one. Default 4000. */
  readonly port?: number;
  /** `production` serves the build in `distFolder`; `development` builds as files change, with hot reload. */
  readonly mode: 'production' | 'development';
  /** Root of the project. Default: the working directory. */
  readonly projectFolder?: string;
  /** Default: `dist` in the project. */
  readonly distFolder?: string;
  /** Where accounts, sessions and messages outlive a restart; `null` keeps them in memory. Default `null`. */
  readonly stateFolder?: string | null;
  /** A PostgreSQL server instead of the embedded one in `stateFolder`. */
  readonly databaseUrl?: string;
  /** Forgets all state first. */
  readonly fresh?: boolean;
  /** Tests only: journal, faults and reset, also on `control.payments.localhost`. Default `false`. */
  readonly journal?: boolean;
  /** Tests only: no `frame-ancestors`, so that the page's own check of its parent is what holds. */
  readonly anyParent?: boolean;
  /** Settings of the service that a test needs otherwise, such as short-lived tokens. */
  readonly service?: Partial<Omit<ServiceOptions, 'database' | 'issuer' | 'allowedOrigins' | 'outbox'>>;
  /** Where warnings and errors of the service and the world go. Default: nowhere. */
  readonly logger?: Logger;
}

/** A world that runs. */
export interface RunningWorld {
  readonly port: number;
  readonly config: WorldConfig;
  readonly accounts: readonly ReadyAccount[];
  readonly service: Service;
  /** Journal, faults and reset; `null` unless the world was started with `journal`. */
  readonly control: Controlled | null;
  /** Stops every server and closes the database. Idempotent. */
  readonly close: () => Promise<void>;
}

/**
 * Starts the local world: the application, the sign-on service, demo applications and start page, all on one port,
 * told apart by the Host header.
 *
 * @throws PortTakenError before anything else has been started or opened.
 */
export async function startWorld(options: WorldOptions): Promise<RunningWorld> {
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    // Last opened, first closed; one that fails must not keep the others open.
    const ends = closing.splice(0).reverse();
    const failures: unknown[] = [];
    for (const end of ends) await end().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'The world did not close cleanly.');
  };
  try {
    return await open(options, closing, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  options: WorldOptions,
  closing: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<RunningWorld> {
  const { mode, logger, projectFolder = process.cwd(), stateFolder = null } = options;
  // The port first: when it is taken, nothing has been touched. Requests wait until the hosts stand.
  let stand: (hosts: Hosts) => void = () => undefined;
  const hosts = new Promise<Hosts>((resolve) => {
    stand = resolve;
  });
  const app: { development: DevelopmentApp | null } = { development: null };
  const listening = await listenOnBoth(
    () =>
      http.createServer(dispatcher(hosts, logger)).on(
        'upgrade',
        upgradeDispatcher(() => app.development?.port ?? null),
      ),
    options.port ?? 4000,
  );
  closing.push(listening.close);
  const { port } = listening;
  const config = worldConfig(port, { devTools: mode === 'development' });

  if (options.fresh === true && stateFolder !== null) await rm(stateFolder, { recursive: true, force: true });
  const outbox = await openOutbox(stateFolder === null ? null : path.join(stateFolder, 'outbox.json'));
  const origins = (['app', 'suppliers', 'shortLinks'] as const).map((role) => originOf(role, port));
  const service = await createService({
    ...(logger === undefined ? {} : { logger }),
    ...options.service,
    database: databaseOf(options.databaseUrl, stateFolder),
    issuer: config.serviceUrl,
    allowedOrigins: origins,
    outbox,
  });
  closing.push(service.close);
  if (options.fresh === true && options.databaseUrl !== undefined) await service.directory.resetAll();
  const accounts = readyAccounts(port);
  await seed(service, accounts);

  const control =
    options.journal === true ? await createControlled({ service, accounts, outbox, origins }) : null;
  if (control !== null) closing.push(control.close);
  if (mode === 'development') {
    // webpack takes a second to load, and a production world has no use for it.
    const { startDevelopmentApp } = await import('./app/developmentApp');
    app.development = await startDevelopmentApp(projectFolder, config);
  }
  if (app.development !== null) closing.push(app.development.close);
  const source: AppSource =
    app.development ?? builtApp(options.distFolder ?? path.join(projectFolder, 'dist'), config);
  const application = appHost(
    source,
    worldHeaders(config, port, { hotReload: mode === 'development', anyParent: options.anyParent ?? false }),
  );
  stand({
    ...worldPages({ port, projectFolder, service, accounts, outbox }),
    app: application,
    suppliers: application,
    shortLinks: application,
    api:
      control === null
        ? (request, response) => {
            service.handle(request, response);
          }
        : control.api,
    ...(control === null ? {} : { control: control.host }),
  });
  return { port, config, accounts, service, control, close };
}

function databaseOf(url: string | undefined, stateFolder: string | null): ServiceOptions['database'] {
  if (url !== undefined) return { url };
  return { folder: stateFolder === null ? null : path.join(stateFolder, 'database') };
}
