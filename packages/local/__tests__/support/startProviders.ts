import http from 'node:http';
import { readyAccounts } from '../../src/accounts.ts';
import { dispatcher, type Hosts } from '../../src/http/dispatch.ts';
import { listen } from '../../src/http/listen.ts';
import { createBehaviours } from '../../src/providers/behaviour.ts';
import { loopbackFetch } from '../../src/http/loopbackFetch.ts';
import { openProviders } from '../../src/providers/openProviders.ts';
import { microsoftIssuer, register } from '../../src/registration.ts';
import { environmentConfig } from '../../src/environmentConfig.ts';
import type { ProvidersOptions } from '@vestibule/service';
import { redirectUri } from './providerFlow.ts';

/** Both providers on a port, without the rest of the environment. */
export type RunningProviders = Awaited<ReturnType<typeof startProviders>>;
export async function startProviders() {
  const failures: string[] = [];
  const logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (event: string, fields = {}) => {
      failures.push(`${event} ${JSON.stringify(fields)}`);
    },
  };
  let open: (hosts: Hosts) => void = () => undefined;
  const hosts = new Promise<Hosts>((resolve) => {
    open = resolve;
  });
  const { port, close } = await listen(http.createServer(dispatcher(hosts, logger)), 0);
  const behaviours = createBehaviours();
  const registrations = register(port);
  const config = environmentConfig(port);
  const accounts = readyAccounts(port);
  open(await openProviders({ config, accounts, registrations, behaviours, logger }));
  const { google, microsoft } = registrations;
  const options: ProvidersOptions = {
    google,
    microsoft: { ...microsoft, issuerTemplate: microsoftIssuer(port, '{tenantId}') },
    redirectUri: redirectUri(port),
    fetch: loopbackFetch(port),
  };
  return {
    port,
    behaviours,
    /** How a service reaches them. */
    options,
    /** @throws when one of the hosts received a request that it could not answer. */
    close: async () => {
      await close();
      if (failures.length > 0) throw new Error(failures.join('\n'));
    },
  };
}
