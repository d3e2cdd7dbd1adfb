import { BlockList, isIP, isIPv6 } from 'node:net';

/** Names (RFC 6761 §6.3) and addresses (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3) of this machine. */
const loopback = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** @param host without a port; an IPv6 address with or without its brackets. */
export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

/** An address of `X-Forwarded-For` without its port, which some proxies add: `192.0.2.1:51234`, `[2001:db8::1]:443`. */
export const withoutPort = (address: string): string =>
  /^([\d.]+):\d+$/.exec(address)?.[1] ?? /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? address;

/** Whether data sent to this address is protected in transit: https, or http on this machine. */
export function isProtected(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
}

/** Whether the text is an address, or a range in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    rest.length === 0 &&
    (prefix === undefined ? bits > 0 : /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
  );
}

/**
 * @param networks each as `isNetwork` accepts it
 * @returns whether an address, with or without a port, is in one of them.
 */
export function createNetworkTest(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => false;
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (given) => {
    const address = withoutPort(given);
    return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
}
