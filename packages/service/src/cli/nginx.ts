import { readFileSync } from 'node:fs';
import { operationsOf, readContract, type Operation } from '@vestibule/contract/document';
import { returnPoint } from '@vestibule/contract/returnPoint';
import { paths } from '@vestibule/contract/paths';
import type { Deployment } from './deployment.ts';
import { expireCookiesPath, expiredCookies } from '@vestibule/contract/expiredCookies';
import {
  allowInline,
  appHeaders,
  reporting,
  unframedSegments,
  unreportedSegments,
  type InlineParts,
} from '@vestibule/contract/pageHeaders';

const template = readFileSync(new URL('../../deploy/vestibule.conf', import.meta.url), 'utf8');
const pageServer = readFileSync(new URL('../../deploy/pageServer.conf', import.meta.url), 'utf8');

/** Headers whose value depends on the request; the template has a variable for each. */
const variable = new Set(['Content-Security-Policy', 'Cross-Origin-Opener-Policy', 'X-Frame-Options']);

/**
 * The configuration of nginx: the page on its hosts, the service on its own host, and the headers of
 * docs/behaviour.md#headers-of-the-host.
 *
 * @param inline the inline parts of the page that the policy allows.
 */
export function nginxConfiguration({ page, web, nodes, nodeTls }: Deployment, inline: InlineParts): string {
  const service = new URL(page.serviceUrl);
  const headersOf = (path: string): Readonly<Record<string, string>> =>
    appHeaders({
      path,
      serviceOrigin: service.origin,
      parentOrigins: page.parentOrigins,
      https: true,
      ...(web.reportsTo === undefined ? {} : { reportsTo: web.reportsTo }),
    });
  const policyOf = (headers: Readonly<Record<string, string>>): string =>
    headers['Content-Security-Policy'] ?? '';
  // A path without reports; the template adds the headers of reports elsewhere.
  const framed = headersOf('/reset');
  const unframed = headersOf('/unauthorized');
  const constant = Object.entries(framed).filter(([name]) => !variable.has(name));
  const reports = web.reportsTo === undefined ? null : reporting(web.reportsTo);
  const cookies = expiredCookies(page.cookies, { secure: true });
  const appHosts = [new URL(page.signOnUrl).host, ...page.supplierHosts];
  const tls = [
    `  ssl_certificate ${web.certificate};`,
    `  ssl_certificate_key ${web.certificateKey};`,
    ...tlsSettings,
  ];
  // Below 'emerg', nginx quotes the request in the error log. The access log has the failures of an upstream.
  const logs = [
    `  access_log ${web.logFolder}/access.log vestibule;`,
    `  error_log ${web.logFolder}/error.log emerg;`,
  ].join('\n');
  const servicePath = service.pathname.replace(/\/$/, '');
  const portSuffix = web.httpsPort === 443 ? '' : `:${web.httpsPort}`;
  const serverOf = (role: 'app' | 'shortLinks', hosts: readonly string[]): string =>
    hosts.length === 0
      ? ''
      : fill(pageServer, {
          httpsPort: String(web.httpsPort),
          names: hosts.map(withoutPort).join(' '),
          tls: tls.join('\n'),
          logs,
          folder: web.folder,
          role,
          headers: constant.map(([name, value]) => `  add_header ${name} "${value}" always;`).join('\n'),
          setCookies: cookies
            .map((_one, index) => `  add_header Set-Cookie $vestibule_cookie_${index} always;`)
            .join('\n'),
        });
  return fill(template, {
    logs,
    screens: screens().join('|'),
    loggedCalls: loggedCalls(servicePath),
    unframedSegments: [...unframedSegments].join('|'),
    policyFramed: policyOf(framed),
    policyFramedPage: policyOf(allowInline(framed, inline)),
    policyUnframed: policyOf(unframed),
    policyUnframedPage: policyOf(allowInline(unframed, inline)),
    returnPoint,
    unreportedSegments: [...unreportedSegments].join('|'),
    reportDirectives: reports?.directives ?? '',
    reportEndpoints: reports?.endpoints ?? '',
    cookieMaps: cookies
      .map(
        (cookie, index) => `\nmap $vestibule_is_expired $vestibule_cookie_${index} {\n  1 "${cookie}";\n}\n`,
      )
      .join(''),
    ownOrigins: [...appHosts, ...page.shortLinkHosts].map((host) => `  " https://${host}" 1;`).join('\n'),
    nodes: nodes.map((node) => `  server ${node} max_fails=0;`).join('\n'),
    nodeScheme: nodeTls === undefined ? 'http' : 'https',
    nodeTls: nodeTls === undefined ? '' : checkedTls(nodeTls),
    httpPort: String(web.httpPort),
    httpsPort: String(web.httpsPort),
    portSuffix,
    acmeFolder: web.acmeFolder,
    pageServers: serverOf('app', appHosts) + serverOf('shortLinks', page.shortLinkHosts),
    serviceHost: service.hostname,
    servicePath,
    serviceSegments: serviceSegments().join('|'),
    repeatablePaths: pathsOf(({ isRepeatable, isStream }) => isRepeatable && !isStream),
    streamPaths: pathsOf(({ isStream }) => isStream),
    tls: tls.join('\n'),
    transportSecurity: framed['Strict-Transport-Security'] ?? '',
  });
}

/** Mozilla's 'intermediate' recommendation, guideline 5.7. */
const tlsSettings = [
  '  ssl_protocols TLSv1.2 TLSv1.3;',
  '  ssl_ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305;',
  '  ssl_prefer_server_ciphers off;',
  '  ssl_session_timeout 1d;',
  '  ssl_session_cache shared:vestibule:10m;',
  '  ssl_session_tickets off;',
];

/** nginx sends calls only to a process with a valid certificate. */
function checkedTls({ authority, name }: NonNullable<Deployment['nodeTls']>): string {
  return [
    '  proxy_ssl_verify on;',
    '  proxy_ssl_verify_depth 4;',
    `  proxy_ssl_trusted_certificate ${authority};`,
    `  proxy_ssl_name ${name};`,
    '  proxy_ssl_server_name on;',
    '  proxy_ssl_protocols TLSv1.2 TLSv1.3;',
  ].join('\n');
}

/** First segments of the page's paths. */
function screens(): readonly string[] {
  const addresses = Object.values<(value: never) => string>(paths).map((make) => make('' as never));
  return [...new Set([...addresses, expireCookiesPath].map((address) => address.split(/[/?]/)[1] ?? ''))];
}

/** Calls are logged as paths of the contract: `/auth/v1/method/{username}`. */
function loggedCalls(servicePath: string): string {
  const calls = ['/.well-known/jwks.json', ...operationsOf(readContract()).map(({ path }) => path)];
  return [...new Set(calls)]
    .map((path) => `  "~^service ${servicePath}${path.replace(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)" "${path}";`)
    .join('\n');
}

/** Paths of some calls, as alternatives of an expression. */
function pathsOf(isMeant: (operation: Operation) => boolean): string {
  return operationsOf(readContract())
    .filter(isMeant)
    .map(({ path }) => path.replace(/\{\w+\}/g, '[^/]+'))
    .join('|');
}

/** First segments of the contract's calls, and the path of the published keys. */
function serviceSegments(): readonly string[] {
  const segments = operationsOf(readContract()).map(({ path }) => `${path.split('/')[1] ?? ''}/`);
  return [...new Set(segments), '\\.well-known/jwks\\.json$'];
}

function withoutPort(host: string): string {
  return host.replace(/:[0-9]+$/, '');
}

/** @throws Error if a placeholder has no value, because template and code do not match. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template has the placeholder {{${name}}} without a value.`);
    return value;
  });
}
