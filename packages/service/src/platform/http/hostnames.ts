import { getDomain } from 'tldts';

/** The name in a `Host` header or in a host of the configuration: lower case, without port and final dot. */
export function hostnameOf(host = ''): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}

/** @param hosts of the configuration */
export function hostnames(hosts: readonly string[]): ReadonlySet<string> {
  return new Set(hosts.map(hostnameOf));
}

/**
 * The domain that can be registered and that a host belongs to: `acme.co.uk` for `login.acme.co.uk`, `acme.github.io` for itself.
 *
 * @returns `null` for a public suffix (https://publicsuffix.org), whose names belong to others, and for an address.
 */
export const registrableDomain = (host: string): string | null =>
  getDomain(host, { allowPrivateDomains: true });
