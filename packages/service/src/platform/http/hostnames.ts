/** The name in a `Host` header or in a host of the configuration: lower case, without port and final dot. */
export function hostnameOf(host = ''): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}

/** @param hosts of the configuration */
export function hostnames(hosts: readonly string[]): ReadonlySet<string> {
  return new Set(hosts.map(hostnameOf));
}
