import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import type { FastifyServerOptions } from 'fastify';
import { LruMap } from 'toad-cache';
import { withoutPort } from '../addresses.ts';
import type { Logger } from '../settings/options.ts';

/** Callers send any address, so only the latest ones are remembered. */
const remembered = 1_000;

/** What is found for an address, found once for those that come again and again. */
function remembering<Found extends string | boolean>(
  find: (address: string) => Found,
): (address: string) => Found {
  const known = new LruMap<Found>(remembered);
  return (address) => {
    const before = known.get(address);
    if (before !== undefined) return before;
    const found = find(address);
    known.set(address, found);
    return found;
  };
}

/** Believes `X-Forwarded-For` from these addresses, with or without a port, and from no other one. */
export function trustIn(proxies: readonly string[]): NonNullable<FastifyServerOptions['trustProxy']> {
  if (proxies.length === 0) return false;
  const trusts = compile([...proxies]);
  return remembering((address) => trusts(withoutPort(address), 0));
}

/**
 * Counts each request whose `X-Forwarded-For` is not believed, and warns of the first: behind a proxy that is not trusted, all clients
 * are one network, which the limits then shut out together. The header is not logged, because a caller chooses it.
 */
export function watchForwarding(
  proxies: readonly string[],
  logger: Logger,
  count: () => void,
): (request: IncomingMessage) => void {
  const trusts = trustIn(proxies);
  let isReported = false;
  return ({ headers, socket }) => {
    const { remoteAddress } = headers['x-forwarded-for'] === undefined ? {} : socket;
    if (remoteAddress === undefined) return;
    if (typeof trusts === 'function' && trusts(remoteAddress, 0)) return;
    count();
    if (isReported) return;
    isReported = true;
    logger.warn('X-Forwarded-For is not believed: a proxy of yours belongs into TRUSTED_PROXIES', {
      network: networkOf(remoteAddress),
    });
  };
}

/**
 * The network by which limits count a client: an IPv4 address, or the /48 network of an IPv6 address. A customer is
 * usually assigned at most a /48 (RFC 6177 §2), and can use a new address of it for every call.
 *
 * @param address from Fastify: of the socket, or from a trusted proxy. All invalid addresses count as one client.
 */
export const networkOf = remembering((address): string => {
  const bare = withoutPort(address);
  if (isIPv4(bare)) return bare;
  const [ip = ''] = bare.split('%');
  if (!isIPv6(ip)) return 'unknown';
  const groups = groupsOf(ip);
  // Both loopback addresses count as one client.
  if (groups.join(':') === '0:0:0:0:0:0:0:1') return '127.0.0.1';
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return isMapped ? ipv4From(groups.slice(6)) : `${groups.slice(0, 3).join(':')}::/48`;
});

/** The eight groups of an IPv6 address, in hexadecimal without leading zeros. */
function groupsOf(ip: string): string[] {
  // The URL parser normalises every notation (RFC 5952), including an IPv4 suffix.
  const halves = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const [front = [], back = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => '0'), ...back];
}

function ipv4From(groups: readonly string[]): string {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((value) => [value >> 8, value & 255])
    .join('.');
}
