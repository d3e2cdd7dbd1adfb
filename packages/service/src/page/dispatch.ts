import type { IncomingMessage, RequestListener } from 'node:http';
import { isIP } from 'node:net';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { isLoopback } from '../platform/addresses.ts';
import { silentLogger, type Logger } from '../platform/settings/options.ts';
import { hostnameOf, hostnames } from '../platform/http/hostnames.ts';
import { bareHeaders } from '../platform/http/webServer.ts';

/** The paths that process managers and balancers request by the address of the process. */
const healthPaths = new Set(['/live', '/ready', '/health']);

/** The names of all hosts of a deployment. */
export function hostsOf(config: AppConfig): ReadonlySet<string> {
  return new Set([...pageHostsOf(config), hostnameOf(new URL(config.serviceUrl).host)]);
}

const pageHostsOf = ({ signOnUrl, supplierHosts, shortLinkHosts }: AppConfig): ReadonlySet<string> =>
  hostnames([new URL(signOnUrl).host, ...supplierHosts, ...shortLinkHosts]);

/** Passes a request on by its host: to the page, to the service, or 421 for a host that is neither. */
export function dispatchByHost(
  config: AppConfig,
  page: RequestListener,
  service: RequestListener,
  logger: Logger = silentLogger,
): RequestListener {
  const pageHosts = pageHostsOf(config);
  const serviceHost = hostnameOf(new URL(config.serviceUrl).host);
  return (request, response) => {
    const host = hostOf(request);
    if (host !== null && pageHosts.has(host)) page(request, response);
    else if (
      host !== null &&
      (host === serviceHost || (isAddress(host) && healthPaths.has(request.url ?? '')))
    )
      service(request, response);
    else {
      logger.info('unknown host', { status: 421 });
      response
        .writeHead(421, { ...bareHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
        .end('This host is not in the deployment. Does the proxy keep the header Host?\n');
    }
  };
}

/** @returns `null` for two hosts: a proxy may have read the one, and Node.js reads the other. */
function hostOf({ headers, rawHeaders }: IncomingMessage): string | null {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 ? null : hostnameOf(headers.host);
}

/** Process managers and balancers request health by an address, or without a host. */
const isAddress = (host: string): boolean =>
  host === '' || isLoopback(host) || isIP(host.replace(/^\[|\]$/g, '')) !== 0;
