import type { ReadyAccount } from './accounts.ts';
import { controlClient, type ControlClient } from './control/client.ts';
import { originsOf, type HostRole } from './hosts.ts';
import type { EnvironmentOptions, OwnServiceOptions, RunningPages } from './localEnvironment.ts';

/** How an environment with the bundled service is created; its state is in memory, or in the database at `databaseUrl`, which is emptied. */
export type LocalEnvironmentOptions = Omit<EnvironmentOptions, 'stateFolder' | 'fresh' | 'journal'> & {
  readonly serviceUrl?: never;
};

/** Pages and providers in front of a team's own service. */
export interface PageEnvironment
  extends Pick<RunningPages, 'port' | 'registrations' | 'close'>, Pick<ControlClient, 'setProvider'> {
  /** Origin of each host: `origins.app` is that of the page. */
  readonly origins: Readonly<Record<Exclude<HostRole, 'api' | 'outbox'>, string>>;
}

/** The whole environment, with the bundled service. */
export interface LocalEnvironment extends PageEnvironment, ControlClient {
  /** The ready-made accounts, and those of the options. */
  readonly accounts: readonly ReadyAccount[];
  readonly origins: Readonly<Record<HostRole, string>>;
}

/**
 * Creates the local environment for tests, on a free port unless one is given. Rate limits are off.
 *
 * With `serviceUrl` there is no bundled service, so nothing that needs it: accounts, sign-ins, outbox, faults, clock.
 *
 * @throws Error when the port is taken or an account is invalid.
 */
export function createLocalEnvironment(options: OwnServiceOptions): Promise<PageEnvironment>;
export function createLocalEnvironment(options?: LocalEnvironmentOptions): Promise<LocalEnvironment>;
export async function createLocalEnvironment(
  options: OwnServiceOptions | LocalEnvironmentOptions = {},
): Promise<PageEnvironment | LocalEnvironment> {
  // Loaded here, so that who needs a constant of this package does not load the service.
  const { startEnvironment, startPages } = await import('./localEnvironment.ts');
  if (options.serviceUrl !== undefined) {
    const { port, registrations, close } = await startPages({ port: 0, ...options });
    return {
      port,
      registrations,
      close,
      origins: originsOf(port),
      setProvider: controlClient(port).setProvider,
    };
  }
  const { port, registrations, accounts, close } = await startEnvironment({
    port: 0,
    ...options,
    journal: true,
    // Every test comes from this machine's one address.
    service: { rateLimit: 'off', ...options.service },
  });
  return { ...controlClient(port), port, registrations, accounts, close, origins: originsOf(port) };
}
