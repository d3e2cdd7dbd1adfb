import { capabilities } from '../../capabilities.ts';
import type { Deployment } from '../../deployment.ts';
import { isLoopback } from '../../platform/addresses.ts';
import { addressesOf, sendRequest, isOpen, type Outside } from '../../platform/doctor/webRequests.ts';
import { find, NotChecked, Wrong, type Finding } from '../../platform/doctor/findings.ts';
import { checkCertificate, fileFindings } from './certificateChecks.ts';
import { isForThisMachine, isWithoutFirewall, listenersOf, reachOf } from './listeners.ts';
import { machineFindings } from './machineChecks.ts';
import { serviceFindings } from './serviceChecks.ts';
import { pageFindings } from './webChecks.ts';

/** The largest difference of clocks that codes of authenticator apps, messages and locks tolerate. */
const maxClockMilliseconds = 5_000;

/**
 * Checks from outside whether a deployment matches its file: names, certificates, the page with its headers, the
 * service. It changes nothing.
 */
export async function examine(deployment: Deployment, outside: Outside): Promise<readonly Finding[]> {
  const { page } = deployment;
  const originOf = (host: string): string => `https://${host}`;
  const shortLinks = page.shortLinkHosts.map(originOf);
  const pages = [new URL(page.signOnUrl).origin, ...page.supplierHosts.map(originOf), ...shortLinks];
  const service = new URL(page.serviceUrl).origin;
  const findings = [
    await scannerFinding(page),
    ...(await machineFindings(deployment)),
    ...(await fileFindings(deployment, outside.now())),
  ];
  for (const { doctor } of capabilities)
    findings.push(...((await doctor?.machines?.(deployment, outside.now())) ?? []));
  for (const origin of new Set([...pages, service])) {
    const reach = await reachOf(outside, deployment, origin);
    const connection = await connectionFindings(reach, deployment, origin);
    findings.push(...connection);
    // Without a connection all other checks would fail for the same reason.
    if (connection.some(({ check, problem }) => check === 'TLS' && problem?.includes('shows no certificate')))
      continue;
    if (origin === service) findings.push(...(await serviceFindings(reach, deployment)));
    else findings.push(...(await pageFindings(reach, deployment, origin, shortLinks.includes(origin))));
  }
  return findings;
}

/** Whether mail scanners can use up one-time links. */
export function scannerFinding({ oneTimeLinks }: Pick<Deployment['page'], 'oneTimeLinks'>): Promise<Finding> {
  return find('one-time links', 'page.oneTimeLinks', () => {
    if (oneTimeLinks === 'auto')
      throw new Wrong(
        'A mail scanner that runs the page uses up the links of invitations and sign-ins, and sees the API key behind them.',
        'Set page.oneTimeLinks to click, unless no such links are sent.',
        'warning',
      );
  });
}

/** Checks of the connection: the name, the certificate, the redirect, the clock, the closed ports. */
async function connectionFindings(
  outside: Outside,
  deployment: Deployment,
  origin: string,
): Promise<readonly Finding[]> {
  const { hostname, port } = new URL(origin);
  const isService = origin === new URL(deployment.page.serviceUrl).origin;
  return [
    await find('DNS', hostname, () => checkName(outside, hostname)),
    await find('TLS', hostname, () => checkCertificate(outside, hostname, port === '' ? 443 : Number(port))),
    await find('http', hostname, () => checkRedirect(outside, deployment, origin)),
    await find('clock', hostname, () => checkClock(outside, origin)),
    ...(isService ? [await portFinding(outside, deployment, hostname)] : []),
  ];
}

async function checkName({ connectTo }: Outside, name: string): Promise<void> {
  if (connectTo !== undefined)
    throw new NotChecked(`Connected to ${connectTo} instead of the address of the name.`);
  const addresses = await addressesOf(name);
  if (addresses.length > 0 && addresses.every(isLoopback))
    throw new NotChecked(`${name} leads to this machine itself here (${addresses.join(', ')}).`);
  if (addresses.length > 0) return;
  throw new Wrong(
    `${name} has no address.`,
    'Add an A record, an AAAA record, or both, with the address of the web server.',
  );
}

async function checkRedirect(outside: Outside, { environment }: Deployment, origin: string): Promise<void> {
  const { hostname } = new URL(origin);
  const { REDIRECT_PORT: port = '0' } = environment;
  const address = `http://${hostname}${port === '0' ? '' : `:${port}`}/login?doctor=1`;
  const { status, headers } = await sendRequest(outside, address);
  if (status !== 301 || headers.location !== `${origin}/login?doctor=1`)
    throw new Wrong(
      `${address} responds with ${status} and does not lead to ${origin}/login?doctor=1.`,
      'Port 80 must redirect to https: a process with a certificate does so, otherwise the proxy that ends TLS.',
    );
}

async function checkClock(outside: Outside, origin: string): Promise<void> {
  const { clockAhead } = await sendRequest(outside, `${origin}/.well-known/jwks.json`);
  if (clockAhead === null) throw new NotChecked(`${origin} sends no Date.`);
  if (Math.abs(clockAhead) <= maxClockMilliseconds) return;
  const seconds = Math.round(Math.abs(clockAhead) / 1000);
  throw new Wrong(
    `The clock of ${origin} is ${seconds} s ${clockAhead > 0 ? 'ahead of' : 'behind'} that of this machine.`,
    'Synchronise both by NTP (timedatectl); codes of authenticator apps and lifetimes of tokens depend on it.',
  );
}

/** The ports of metrics, and of a process behind a proxy, which must be closed at the public address. */
export const portFinding = (
  outside: Outside,
  deployment: Pick<Deployment, 'environment'>,
  host: string,
): Promise<Finding> => find('ports', host, () => checkPorts(outside, deployment, host));

async function checkPorts(
  { connectTo, units }: Outside,
  { environment }: Pick<Deployment, 'environment'>,
  host: string,
): Promise<void> {
  const [address = host] = connectTo === undefined ? await addressesOf(host) : [connectTo];
  const isBehindProxy = environment['TLS_CERTIFICATE_FILE'] === undefined;
  const { METRICS_PORT: metrics, METRICS_HOST: metricsHost = '127.0.0.1' } = environment;
  const listeners = [
    ...(metrics === undefined ? [] : [{ host: metricsHost, port: Number(metrics) }]),
    ...(isBehindProxy ? listenersOf(environment, units) : []),
  ];
  for (const listener of listeners) {
    if (isForThisMachine(address, listener) || !(await isOpen(address, listener.port))) continue;
    const isUnknown = isWithoutFirewall(address, listener);
    throw new Wrong(
      isUnknown
        ? `Port ${listener.port} is open on this machine. Whether a firewall closes it to others is not seen from here.`
        : `Port ${listener.port} of ${host} is open to the outside.`,
      'The unit or HOST, and METRICS_HOST, must be addresses that only the proxy and Prometheus reach; close the port in the firewall.',
      isUnknown ? 'warning' : 'wrong',
    );
  }
}
