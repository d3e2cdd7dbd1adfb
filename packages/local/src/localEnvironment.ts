import { extensionNames } from '@vestibule/contract/document';
import http from 'node:http';
import path from 'node:path';
import type { Service } from '@vestibule/service';
import { readyAccounts, type ReadyAccount } from './accounts.ts';
import { appHost, builtApp, environmentHeaders } from './app/appHost.ts';
import type { DevelopmentApp } from './app/developmentApp.ts';
import { createControlled, type Controlled } from './control/controlled.ts';
import { controlHost } from './control/controlHost.ts';
import type { HostHandler } from './http/send.ts';
import { dispatcher, upgradeDispatcher, type Hosts } from './http/dispatch.ts';
import { listenOnBoth } from './http/listen.ts';
import { linkMaker } from './links/makeLink.ts';
import { createReadyLinks } from './links/readyLinks.ts';
import { openService, type EnvironmentServiceOptions } from './openService.ts';
import { createBehaviours } from './providers/behaviour.ts';
import { openProviders } from './providers/openProviders.ts';
import { register } from './registration.ts';
import { type SameSite, environmentConfig, type EnvironmentConfig } from './environmentConfig.ts';
import { seed, environmentPages } from './environmentHosts.ts';

/** How an environment is started. */
export interface EnvironmentOptions extends EnvironmentServiceOptions {
  /** Port of every host; 0 takes a free one. Default 4000. */
  readonly port?: number;
  /** `production` serves the build in `distFolder`; `development` builds as files change, with hot reload. */
  readonly mode: 'production' | 'development';
  /** Root of the project. Default: the working directory. */
  readonly projectFolder?: string;
  /** Default: `dist` in the project. */
  readonly distFolder?: string;
  /** Tests only: no `frame-ancestors`, so that the page's own check of its parent is what holds. */
  readonly anyParent?: boolean;
  /** `SameSite` of the application's cookies. Default 'Lax'. */
  readonly sameSite?: SameSite;
  /** Whether Redux DevTools may connect. Default: in development only. */
  readonly devTools?: boolean;
  /** Address of a collector of reports. Default: none. */
  readonly reportsTo?: string;
}

/** An environment that runs. */
export interface RunningEnvironment {
  readonly port: number;
  readonly config: EnvironmentConfig;
  readonly accounts: readonly ReadyAccount[];
  readonly service: Service;
  /** Journal, faults and reset; `null` unless the environment was started with `journal`. */
  readonly control: Controlled | null;
  /** Stops every server and closes the database. Idempotent. */
  readonly close: () => Promise<void>;
}

/**
 * Starts the local environment: the application, the sign-on service, two OpenID providers, demo applications and start
 * page, all on one port, told apart by the Host header.
 *
 * @throws PortTakenError before anything else has been started or opened.
 */
export async function startEnvironment(options: EnvironmentOptions): Promise<RunningEnvironment> {
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    // The listener first, so that no request comes in; then the rest, last opened first. One that fails must not keep the
    // others open.
    const [listener, ...rest] = closing.splice(0);
    const ends = [...(listener === undefined ? [] : [listener]), ...rest.reverse()];
    const failures: unknown[] = [];
    for (const end of ends) await end().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'The environment did not close cleanly.');
  };
  try {
    return await assemble(options, closing, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function assemble(
  options: EnvironmentOptions,
  closing: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<RunningEnvironment> {
  const { mode, logger, projectFolder = process.cwd() } = options;
  // The port first: when it is taken, nothing has been touched. Requests wait until the hosts stand.
  let open: (hosts: Hosts) => void = () => undefined;
  const hosts = new Promise<Hosts>((resolve) => {
    open = resolve;
  });
  let development: DevelopmentApp | null = null;
  const upgrade = upgradeDispatcher(() => development?.port ?? null);
  const listening = await listenOnBoth(
    () => http.createServer(dispatcher(hosts, logger)).on('upgrade', upgrade),
    options.port ?? 4000,
  );
  closing.push(listening.close);
  const { port } = listening;
  const config = environmentConfig(port, {
    extensions: extensionNames(),
    devTools: options.devTools ?? mode === 'development',
    sameSite: options.sameSite ?? 'Lax',
    ...(options.reportsTo !== undefined && { reportsTo: options.reportsTo }),
    ...(options.service?.refreshGraceSeconds !== undefined && {
      refreshGraceSeconds: options.service.refreshGraceSeconds,
    }),
  });

  const accounts = readyAccounts(port);
  const registrations = register(port);
  const behaviours = createBehaviours();
  const providers = await openProviders({
    config,
    accounts,
    registrations,
    behaviours,
    ...(logger === undefined ? {} : { logger }),
  });
  const { service, outbox, origins } = await openService(options, config, port, registrations);
  closing.push(service.close);
  await seed(service, accounts);
  const makeLink = linkMaker(service.directory, port);
  const links = createReadyLinks(service.directory, accounts, port);
  const control =
    options.journal === true
      ? await createControlled({ service, outbox, origins, behaviours, makeLink, links })
      : null;
  if (control !== null) closing.push(control.close);
  if (mode === 'development') {
    // webpack takes a second to load, and a production environment has no use for it.
    const { startDevelopmentApp } = await import('./app/developmentApp.ts');
    development = await startDevelopmentApp(projectFolder, config);
    closing.push(development.close);
  }

  const source = development ?? builtApp(options.distFolder ?? path.join(projectFolder, 'dist'), config);
  const framing = { hotReload: mode === 'development', anyParent: options.anyParent ?? false };
  const application = appHost(source, environmentHeaders(config, port, framing), config.cookies);
  const api: HostHandler = (request, response) => {
    service.handle(request, response);
  };
  open({
    ...environmentPages({ port, service, accounts, outbox, behaviours, links }),
    ...providers,
    app: application,
    suppliers: application,
    shortLinks: application,
    ...(control === null
      ? { api, control: controlHost({ 'POST /links': makeLink }) }
      : { api: control.api, control: control.host }),
  });
  return { port, config, accounts, service, control, close };
}
