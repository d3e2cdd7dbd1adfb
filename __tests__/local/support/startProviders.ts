import http from 'node:http';
import { readyAccounts } from '../../../local/accounts';
import { dispatcher, type Hosts } from '../../../local/http/dispatch';
import { listen } from '../../../local/http/listen';
import { createBehaviours, type Behaviours } from '../../../local/providers/behaviour';
import { loopbackFetch } from '../../../local/http/loopbackFetch';
import { openProviders } from '../../../local/providers/openProviders';
import { microsoftIssuer, register } from '../../../local/registration';
import { worldConfig } from '../../../local/worldConfig';
import type { ProvidersOptions } from '../../../service';
import { redirectUri } from './providerFlow';

/** Both providers on a port, without the rest of the world. */
export interface RunningProviders {
  readonly port: number;
  readonly behaviours: Behaviours;
  /** How a service reaches them. */
  readonly options: ProvidersOptions;
  /** @throws when one of the hosts received a request that it could not answer. */
  readonly close: () => Promise<void>;
}

export async function startProviders(): Promise<RunningProviders> {
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
  const config = worldConfig(port);
  open(
    await openProviders({
      config,
      accounts: readyAccounts(port),
      registrations,
      behaviours,
      projectFolder: process.cwd(),
      logger,
    }),
  );
  const { google, microsoft } = registrations;
  return {
    port,
    behaviours,
    close: async () => {
      await close();
      if (failures.length > 0) throw new Error(failures.join('\n'));
    },
    options: {
      google,
      microsoft: { ...microsoft, issuerTemplate: microsoftIssuer(port, '{tenantId}') },
      redirectUri: redirectUri(port),
      fetch: loopbackFetch(port),
    },
  };
}
