import { createVerifier } from '@vestibule/client/server';
import { extensionNames, operationsOf, readContract } from '@vestibule/contract/document';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { Service } from '@vestibule/service';
import { builtPage, createPageHost, type PageSource } from '@vestibule/service/page/pageHost';
import type { Themes } from '@vestibule/service/platform/themes/themeFiles';
import { readyAccounts, type ReadyAccount } from './accounts.ts';
import { accountSchema, type AccountOverHttp } from './control/accountSchema.ts';
import { createClock, type Clock } from './control/clock.ts';
import { createControlled, type Controlled } from './control/controlled.ts';
import { controlHost } from './control/controlHost.ts';
import { loopbackFetch } from './http/loopbackFetch.ts';
import type { HostHandler } from './http/send.ts';
import { dispatcher, upgradeDispatcher, type Hosts } from './http/dispatch.ts';
import { listenOnBoth } from './http/listen.ts';
import { originOf } from './hosts.ts';
import { linkMaker } from './links/makeLink.ts';
import { createReadyLinks } from './links/readyLinks.ts';
import { openService, type EnvironmentServiceOptions } from './openService.ts';
import { createBehaviours, type Behaviours } from './providers/behaviour.ts';
import { openProviders } from './providers/openProviders.ts';
import { register, type ProviderName, type Registration } from './registration.ts';
import { type SameSite, environmentConfig, type EnvironmentConfig } from './environmentConfig.ts';
import { seed, environmentPages } from './environmentHosts.ts';
import { localThemes } from './themes.ts';

/** The hot-reloading build, served on a separate port behind the environment. */
export interface DevelopmentApp extends PageSource {
  /** Port of the development server; its socket for hot reload is passed on to it. */
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** How every environment is started. */
export interface PageOptions extends Pick<EnvironmentServiceOptions, 'applications' | 'logger'> {
  /** Port of every host; 0 takes a free one. Default 4000. */
  readonly port?: number;
  /** Folder of a production build of the page. Default: the build that this package carries. */
  readonly distFolder?: string;
  /** A page that is built as files change, instead of `distFolder`. */
  readonly development?: (config: EnvironmentConfig, themes: Themes) => Promise<DevelopmentApp>;
  /** Tests only: no `frame-ancestors`, so that the page's own check of its parent is what holds. */
  readonly anyParent?: boolean;
  /** `SameSite` of the application's cookies. Default 'Lax'. */
  readonly sameSite?: SameSite;
  /** Whether Redux DevTools may connect. Default: in development only. */
  readonly devTools?: boolean;
  /** Address of a collector of reports. Default: none. */
  readonly reportsTo?: string;
  /** Languages of the page and the service, the default first. Default: English only. */
  readonly languages?: readonly string[];
}

/** How an environment with the bundled service is started. */
export interface EnvironmentOptions extends PageOptions, EnvironmentServiceOptions {
  /** Accounts besides the ready-made ones. */
  readonly accounts?: readonly AccountOverHttp[];
  /** Extensions that the page's configuration lists. Default: all. */
  readonly extensions?: readonly string[];
  /** Tests only: the service answers the calls of extensions as any unknown path. */
  readonly withoutExtensions?: boolean;
  /** The time, milliseconds since 1970. Default: the computer's. */
  readonly clock?: () => number;
}

/** How an environment in front of a team's own service is started. */
export interface OwnServiceOptions extends PageOptions {
  /** Address of the service, as browsers reach it. */
  readonly serviceUrl: string;
  /** Extensions of the contract that it offers. Default: none. */
  readonly extensions?: readonly string[];
  /** How long it accepts a rotated refresh token again. Default: not at all. */
  readonly refreshGraceSeconds?: number;
}

/** Pages and providers that run. */
export interface RunningPages {
  readonly port: number;
  readonly config: EnvironmentConfig;
  /** How the service is registered at the providers. */
  readonly registrations: Readonly<Record<ProviderName, Registration>>;
  /** Stops every server and closes the database. Idempotent. */
  readonly close: () => Promise<void>;
}

/** An environment that runs. */
export interface RunningEnvironment extends RunningPages {
  readonly accounts: readonly ReadyAccount[];
  readonly service: Service;
  /** Journal, faults and reset; `null` unless the environment was started with `journal`. */
  readonly control: Controlled | null;
}

/**
 * Starts the local environment: the application, the sign-on service, two OpenID providers, demo applications and start
 * page, all on one port, told apart by the Host header.
 *
 * @throws PortTakenError before anything else has been started or opened; ValiError for an invalid account.
 */
export function startEnvironment(options: EnvironmentOptions): Promise<RunningEnvironment> {
  return closingOnFailure(async (closing, close) => {
    const clock = createClock(options.clock);
    const { accounts: own = [], service: { refreshGraceSeconds } = {} } = options;
    const ownAccounts = own.map((account) => ownAccount(v.parse(accountSchema, account)));
    const front = await openFront(options, closing, {
      config: {
        extensions: options.extensions ?? extensionNames(),
        ...(refreshGraceSeconds !== undefined && { refreshGraceSeconds }),
      },
      accountsFor: (port) => [...readyAccounts(port), ...ownAccounts],
      clock,
    });
    const { port, config, accounts, behaviours, registrations } = front;
    const { outbox, origins, ...opened } = await openService(options, config, port, clock, registrations);
    const service = options.withoutExtensions === true ? withoutExtensions(opened.service) : opened.service;
    closing.push(service.close);
    await seed(service, accounts);
    const makeLink = linkMaker(service.directory, port);
    const links = createReadyLinks(service.directory, accounts, port);
    const control =
      options.journal === true
        ? await createControlled({
            service,
            outbox,
            origins,
            accounts,
            cookies: config.cookies,
            clock,
            behaviours,
            makeLink,
            links,
          })
        : null;
    if (control !== null) closing.push(control.close);
    const handle: HostHandler = (request, response) => {
      service.handle(request, response);
    };
    const verifier = createVerifier({ issuer: originOf('api', port), fetch: loopbackFetch(port) });
    const bundled = { service, accounts, outbox, links, now: clock.now };
    await front.open({
      ...environmentPages({ port, extensions: config.extensions, behaviours, verifier, bundled }),
      api: control?.api ?? handle,
      control: control?.host ?? controlHost({ 'POST /links': makeLink }),
    });
    return { port, config, accounts, registrations, service, control, close };
  });
}

/**
 * Starts the application, the providers and the demo applications in front of a team's own service.
 *
 * @throws PortTakenError before anything else has been started.
 */
export function startPages(options: OwnServiceOptions): Promise<RunningPages> {
  return closingOnFailure(async (closing, close) => {
    const { serviceUrl, extensions = [], refreshGraceSeconds = 0 } = options;
    const front = await openFront(options, closing, {
      config: { serviceUrl, extensions, refreshGraceSeconds },
      accountsFor: readyAccounts,
      clock: createClock(),
    });
    const { port, config, behaviours, registrations } = front;
    const verifier = createVerifier({ issuer: new URL(serviceUrl).origin });
    await front.open({
      ...environmentPages({ port, extensions, behaviours, verifier, bundled: null }),
      control: controlHost({ 'GET /providers': behaviours.all, 'POST /providers': behaviours.change }),
    });
    return { port, config, registrations, close };
  });
}

/** The same service without extensions: their calls are unknown paths. */
function withoutExtensions(service: Service): Service {
  const calls = operationsOf(readContract())
    .filter(({ extension }) => extension !== null)
    .map(({ path }) => path.replace(/\{\w+\}/g, '[^/]+'));
  const isExtension = new RegExp(`^(?:${calls.join('|')})(?:\\?|$)`);
  return {
    ...service,
    handle: (request, response) => {
      if (isExtension.test(request.url ?? '')) request.url = '/unknown';
      service.handle(request, response);
    },
  };
}

function ownAccount(account: v.InferOutput<typeof accountSchema>): ReadyAccount {
  return { journey: 'Of this project', expectation: '', username: account.username, account };
}

/** Ends what was started, in `closing`, when the rest cannot be started. */
async function closingOnFailure<Result>(
  start: (closing: (() => Promise<void>)[], close: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
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
    return await start(closing, close);
  } catch (error) {
    await close();
    throw error;
  }
}

interface Front {
  readonly port: number;
  readonly config: EnvironmentConfig;
  readonly accounts: readonly ReadyAccount[];
  readonly behaviours: Behaviours;
  readonly registrations: Readonly<Record<ProviderName, Registration>>;
  /** Adds the hosts of the page and the providers, and lets requests in. */
  readonly open: (hosts: Hosts) => Promise<void>;
}

/** What runs in front of any service: the port, the page, the providers. */
async function openFront(
  options: PageOptions,
  closing: (() => Promise<void>)[],
  {
    config: ofService,
    accountsFor,
    clock,
  }: {
    readonly config: Parameters<typeof environmentConfig>[1];
    readonly accountsFor: (port: number) => readonly ReadyAccount[];
    readonly clock: Clock;
  },
): Promise<Front> {
  const { logger } = options;
  // The port first: when it is taken, nothing has been touched. Requests wait until the hosts stand.
  let admit: (hosts: Hosts) => void = () => undefined;
  const admitted = new Promise<Hosts>((resolve) => {
    admit = resolve;
  });
  let development: DevelopmentApp | null = null;
  const upgrade = upgradeDispatcher(() => development?.port ?? null);
  const listening = await listenOnBoth(
    () => http.createServer(dispatcher(admitted, logger)).on('upgrade', upgrade),
    options.port ?? 4000,
  );
  closing.push(listening.close);
  const { port } = listening;
  const config = environmentConfig(port, {
    ...ofService,
    applications: options.applications ?? [],
    devTools: options.devTools ?? options.development !== undefined,
    sameSite: options.sameSite ?? 'Lax',
    ...(options.reportsTo !== undefined && { reportsTo: options.reportsTo }),
    ...(options.languages !== undefined && { languages: options.languages }),
  });
  const accounts = accountsFor(port);
  const registrations = register(port);
  const behaviours = createBehaviours();
  const providers = await openProviders({
    config,
    accounts,
    registrations,
    behaviours,
    now: clock.now,
    ...(logger === undefined ? {} : { logger }),
  });
  const open = async (hosts: Hosts): Promise<void> => {
    const themes = localThemes(config);
    development = (await options.development?.(config, themes)) ?? null;
    if (development !== null) closing.push(development.close);
    const page = await createPageHost({
      config,
      themes,
      source: development ?? builtPage(options.distFolder ?? carriedBuild, config, { themes }),
      facts: (host) => ({
        ...(development !== null && { hotReloadOrigin: `http://${host}` }),
        ...(options.anyParent === true && { parentOrigins: ['*'] }),
      }),
    });
    closing.push(() => page.close());
    const app: HostHandler = (request, response) => {
      page.routing(request, response);
    };
    admit({ ...hosts, ...providers, app, suppliers: app, shortLinks: app });
  };
  return { port, config, accounts, behaviours, registrations, open };
}

/** `prepack` puts it into the package. */
const carriedBuild = fileURLToPath(new URL('./page', import.meta.url));
