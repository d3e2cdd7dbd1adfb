import { networkInterfaces } from 'node:os';
import type { Deployment } from '../../deployment.ts';
import { isLoopback } from '../../platform/addresses.ts';
import { hasProcesses } from '../../platform/doctor/machineFiles.ts';
import { listenersOfUnit, type Listener } from '../socketUnit.ts';
import { addressesOf, isOpen, type Outside } from '../../platform/doctor/webRequests.ts';

const every = new Set(['::', '0.0.0.0']);

/** Where the process listens: the addresses of the socket unit, with the changes by `systemctl edit`, or else of the settings. */
export function listenersOf(environment: Deployment['environment'], units?: string): readonly Listener[] {
  const ofUnit = listenersOfUnit(units);
  if (ofUnit.length > 0) return ofUnit;
  const isBehindProxy = environment['TLS_CERTIFICATE_FILE'] === undefined;
  const { HOST: host = isBehindProxy ? '127.0.0.1' : '::', PORT: port = isBehindProxy ? '4001' : '443' } =
    environment;
  return [{ host, port: Number(port) }];
}

/** Whether only this machine reaches the listener at a loopback address. */
export const isForThisMachine = (address: string, { host }: Listener): boolean =>
  isLoopback(address) && (host === address || host === 'localhost');

/** Whether a connection from this machine to the address does not pass the firewall that others meet. */
export function isWithoutFirewall(address: string, { host }: Listener): boolean {
  if (isLoopback(address)) return every.has(host);
  return Object.values(networkInterfaces()).some((own) => own?.some((one) => one.address === address));
}

/**
 * How to reach a host of the deployment. A machine that the names lead to may not reach itself by them, for example behind a router
 * that translates addresses: then it connects to its own processes.
 */
export async function reachOf(outside: Outside, deployment: Deployment, origin: string): Promise<Outside> {
  if (outside.connectTo !== undefined || !hasProcesses(deployment)) return outside;
  const { hostname, port: given } = new URL(origin);
  const port = given === '' ? 443 : Number(given);
  const addresses = await addressesOf(hostname);
  if (addresses.length === 0 || (await anyOpen(addresses, port)) !== undefined) return outside;
  const listeners = listenersOf(deployment.environment, outside.units);
  const own = listeners.map(({ host }) => (every.has(host) ? '127.0.0.1' : host));
  const connectTo = await anyOpen([...own, '127.0.0.1'], port);
  return connectTo === undefined ? outside : { ...outside, connectTo };
}

async function anyOpen(addresses: readonly string[], port: number): Promise<string | undefined> {
  for (const address of new Set(addresses)) if (await isOpen(address, port)) return address;
  return undefined;
}
