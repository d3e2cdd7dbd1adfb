/** Names (RFC 6761 §6.3) and addresses (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3) of this machine. */
const loopback = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** @param host without a port; an IPv6 address with or without its brackets. */
export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

/** Whether data sent to this address is protected in transit: https, or http on this machine. */
export function isProtected(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
}
