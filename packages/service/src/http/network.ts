import { isIPv4, isIPv6 } from 'node:net';

/**
 * What limits count a client by: an IPv4 address, or the /48 network of an IPv6 address, because that is the most that a
 * single customer is usually given (RFC 6177 §2), who can take a new address of it for every call.
 *
 * @param address as Fastify gives it: the socket's, or what a trusted proxy says. All that is no address counts as one client.
 */
export function networkOf(address: string): string {
  // Some proxies write a port behind the address in `X-Forwarded-For`.
  const bare = /^([\d.]+):\d+$/.exec(address)?.[1] ?? /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? address;
  if (isIPv4(bare)) return bare;
  const [ip = ''] = bare.split('%');
  if (!isIPv6(ip)) return 'unknown';
  const groups = groupsOf(ip);
  // This machine, which programs reach by either of its addresses.
  if (groups.join(':') === '0:0:0:0:0:0:0:1') return '127.0.0.1';
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return isMapped ? ipv4From(groups.slice(6)) : `${groups.slice(0, 3).join(':')}::/48`;
}

/** The eight groups of an IPv6 address, in hexadecimal without leading zeros. */
function groupsOf(ip: string): string[] {
  // The URL parser writes every spelling in one way (RFC 5952), also a dotted tail.
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
