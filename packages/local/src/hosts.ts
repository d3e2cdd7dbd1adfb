import type { IncomingMessage } from 'node:http';

/** The parent domain of the family in the local environment; browsers resolve it to this machine. */
export const familyDomain = 'payments.localhost';

/**
 * What a host name serves.
 *
 * - `app`: the sign-on application on its own host; `suppliers` and `shortLinks` serve the same build.
 * - `google`, `microsoft`: the two OpenID providers.
 * - `partner`: another site that is on the list of parents; `unlisted`: another site that is not.
 * - `control`: makes links (`npm run invite`); journal, faults and reset only when the environment was started with them.
 */
export type HostRole =
  | 'start'
  | 'app'
  | 'suppliers'
  | 'shortLinks'
  | 'api'
  | 'google'
  | 'microsoft'
  | 'ledger'
  | 'hub'
  | 'reports'
  | 'outbox'
  | 'partner'
  | 'unlisted'
  | 'control';

const hostNames: Readonly<Record<HostRole, string>> = {
  start: familyDomain,
  app: `login.${familyDomain}`,
  suppliers: `suppliers.${familyDomain}`,
  shortLinks: `go.${familyDomain}`,
  api: `api.${familyDomain}`,
  google: `google.${familyDomain}`,
  microsoft: `microsoft.${familyDomain}`,
  ledger: `ledger.${familyDomain}`,
  hub: `hub.${familyDomain}`,
  reports: `reports.${familyDomain}`,
  outbox: `outbox.${familyDomain}`,
  partner: 'partner.localhost',
  unlisted: 'evil.localhost',
  control: `control.${familyDomain}`,
};

/** The line of a hosts file for a system whose browsers do not resolve names below `localhost`. */
export const hostsLine = `127.0.0.1 ${Object.values(hostNames).join(' ')}`;

const roles: ReadonlyMap<string, HostRole> = new Map<string, HostRole>([
  ['localhost', 'start'],
  ['127.0.0.1', 'start'],
  ['[::1]', 'start'],
  [hostNames.start, 'start'],
  [hostNames.app, 'app'],
  [hostNames.suppliers, 'suppliers'],
  [hostNames.shortLinks, 'shortLinks'],
  [hostNames.api, 'api'],
  [hostNames.google, 'google'],
  [hostNames.microsoft, 'microsoft'],
  [hostNames.ledger, 'ledger'],
  [hostNames.hub, 'hub'],
  [hostNames.reports, 'reports'],
  [hostNames.outbox, 'outbox'],
  [hostNames.partner, 'partner'],
  [hostNames.unlisted, 'unlisted'],
  [hostNames.control, 'control'],
]);

/** `host[:port]` of a role, as written in a Host header; port 80 is left out, as browsers do. */
export function hostOf(role: HostRole, port: number): string {
  return port === 80 ? hostNames[role] : `${hostNames[role]}:${String(port)}`;
}

/** Origin of a role, for example `http://login.payments.localhost:4000`. */
export function originOf(role: HostRole, port: number): string {
  return `http://${hostOf(role, port)}`;
}

/** The origins of all roles. */
export function originsOf(port: number): Readonly<Record<HostRole, string>> {
  const roles = Object.keys(hostNames) as HostRole[];
  return Object.fromEntries(roles.map((role) => [role, originOf(role, port)])) as Record<HostRole, string>;
}

/**
 * The role that a Host header asks for, or `null` when there is none. A page of another site that
 * rebinds its name to this machine arrives with its own Host and is refused by this.
 */
export function roleOf(hostHeader: string | undefined): HostRole | null {
  if (hostHeader === undefined) return null;
  const name = hostHeader.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return roles.get(name) ?? null;
}

/** Path and query of a request as a URL whose host means nothing; an unusable request target reads as `/`. */
export function requestUrl(request: IncomingMessage): URL {
  const target = request.url ?? '/';
  // Concatenated, not resolved: `//host/path` must stay a path of this host.
  return URL.parse(`http://host${target.startsWith('/') ? target : '/'}`) ?? new URL('http://host/');
}

/** @throws Error when the text is not the number of a port. */
export function portFrom(text: string | undefined): number {
  if (text === undefined || text === '') return 4000;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new Error(`The port must be a number from 1 to 65535, not '${text}'.`);
}
