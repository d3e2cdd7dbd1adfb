import { returnPoint } from '@vestibule/contract/returnPoint';
import type { Logger } from '@vestibule/service';
import type { ReadyAccount } from '../accounts.ts';
import type { HostHandler } from '../http/send.ts';
import { renderPage } from '../http/page.ts';
import type { EnvironmentConfig } from '../environmentConfig.ts';
import type { Behaviours } from './behaviour.ts';
import type { createProvider as CreateProvider } from './createProvider.ts';
import { problemPage } from './pages.ts';
import { peopleOf } from './people.ts';
import { providerHost } from './providerHost.ts';
import { providerNames, type ProviderName, type Registration } from '../registration.ts';

interface OpenOptions {
  readonly config: EnvironmentConfig;
  readonly accounts: readonly ReadyAccount[];
  readonly registrations: Readonly<Record<ProviderName, Registration>>;
  readonly behaviours: Behaviours;
  /** The service's time, milliseconds since 1970. Default: the computer's. */
  readonly now?: () => number;
  readonly logger?: Logger;
}

/** Opens both providers. @returns the handlers of their hosts. */
export async function openProviders(
  options: OpenOptions,
): Promise<Readonly<Record<ProviderName, HostHandler>>> {
  const { config, accounts, registrations, behaviours, now = Date.now, logger } = options;
  const createProvider = await loadQuietly();
  const open = async (name: ProviderName): Promise<HostHandler> => {
    const people = peopleOf(name, accounts);
    const behaviour = (): ReturnType<Behaviours['of']> => behaviours.of(name);
    const provider = await createProvider({
      name,
      registration: registrations[name],
      redirectUri: config.signOnUrl + returnPoint,
      people,
      behaviour,
      now,
      errorPage: (error, description) => renderPage(problemPage(name, error, description)).markup,
      ...(logger === undefined ? {} : { logger }),
    });
    return providerHost({
      name,
      provider,
      people,
      routes: registrations[name].routes,
      behaviour,
      now,
      applicationOrigin: new URL(config.signOnUrl).origin,
    });
  };
  const [google, microsoft] = await Promise.all(providerNames.map(open));
  if (google === undefined || microsoft === undefined) throw new Error('A provider is missing.');
  return { google, microsoft };
}

/** Imports oidc-provider without its warning about Node 20, with which everything that is used here works. */
async function loadQuietly(): Promise<typeof CreateProvider> {
  const { warn } = console;
  console.warn = (...words: unknown[]): void => {
    if (!String(words[0]).includes('oidc-provider WARNING: Unsupported runtime')) warn(...words);
  };
  try {
    return (await import('./createProvider.ts')).createProvider;
  } finally {
    console.warn = warn;
  }
}
