import { readFileSync } from 'node:fs';
import { operationsOf, readContract, type Operation } from '@vestibule/contract/document';
import { filePath } from '@vestibule/contract/page';
import { returnPoint } from '@vestibule/contract/returnPoint';
import { paths } from '@vestibule/contract/paths';
import { headerFacts, portSuffix, publicPorts, type Deployment } from './deployment.ts';
import { expireCookiesPath, expiredCookies } from '@vestibule/contract/expiredCookies';
import {
  allowInline,
  appHeaders,
  reporting,
  unframedSegments,
  unreportedSegments,
  type InlineParts,
} from '@vestibule/contract/pageHeaders';
import { extensionFiles } from '../slots.ts';

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
export function nginxConfiguration(deployment: Deployment, inline: InlineParts): string {
  const { page, web, nodes, nodeTls } = deployment;
  const service = new URL(page.serviceUrl);
  const headersOf = (path: string): Readonly<Record<string, string>> =>
    appHeaders({ ...headerFacts(deployment), path });
  const policyOf = (headers: Readonly<Record<string, string>>): string =>
    headers['Content-Security-Policy'] ?? '';
  // A path without reports; the template adds the headers of reports elsewhere.
  const framed = headersOf('/reset');
  const unframed = headersOf('/unauthorized');
  const constant = Object.entries(framed).filter(([name]) => !variable.has(name));
  const reports = web.reportsTo === undefined ? null : reporting(web.reportsTo);
  const cookies = expiredCookies(page.cookies, { secure: true });
  const appHosts = [new URL(page.signOnUrl).host, ...page.supplierHosts];
  const listen =
    web.balancer?.endsTls === true ? listenOn(web, web.httpPort) : listenOn(web, web.httpsPort, ' ssl http2');
  const every = [...common(web), ...tlsOf(web)].join('\n');
  const servicePath = service.pathname.replace(/\/$/, '');
  const serverOf = (role: 'app' | 'shortLinks', hosts: readonly string[]): string =>
    hosts.length === 0
      ? ''
      : fill(pageServer, {
          listen,
          names: hosts.map(withoutPort).join(' '),
          every,
          folder: web.folder,
          role,
          extensionFiles: locationsOf(extensionFiles(page)),
          headers: constant.map(([name, value]) => `  add_header ${name} "${value}" always;`).join('\n'),
          setCookies: cookies
            .map((_one, index) => `  add_header Set-Cookie $vestibule_cookie_${index} always;`)
            .join('\n'),
        });
  return fill(template, {
    listen,
    every,
    balancer: balancerAddresses(web),
    otherNames: otherNames(deployment),
    screens: screens().join('|'),
    loggedCalls: loggedCalls(servicePath),
    unframedSegments: [...unframedSegments].join('|'),
    policyFramed: policyOf(framed),
    policyFramedPage: policyOf(allowInline(framed, inline)),
    policyUnframed: policyOf(unframed),
    policyUnframedPage: policyOf(allowInline(unframed, inline)),
    returnPoint,
    filePath,
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
    nodeScheme: schemeOf(nodeTls),
    nodeTls: nodeTls === undefined ? '' : checkedTls(nodeTls),
    pageServers: serverOf('app', appHosts) + serverOf('shortLinks', page.shortLinkHosts),
    serviceHost: service.hostname,
    servicePath,
    serviceSegments: serviceSegments().join('|'),
    repeatablePaths: pathsOf(({ isRepeatable, isStream }) => isRepeatable && !isStream),
    streamPaths: pathsOf(({ isStream }) => isStream),
    transportSecurity: web.transportSecurity,
  });
}

function locationsOf(files: ReturnType<typeof extensionFiles>): string {
  return files
    .map(
      ({ path, json }) =>
        `\n  location = ${path} {\n    default_type application/json;\n    return 200 '${json}';\n  }`,
    )
    .join('');
}

/** What listens on a port. @param how ends the directive */
function listenOn({ ipv6, balancer }: Deployment['web'], port: number, how = ''): string {
  const proxyProtocol = balancer?.clientAddress === 'proxy-protocol' ? ' proxy_protocol' : '';
  return [String(port), ...(ipv6 ? [`[::]:${port}`] : [])]
    .map((address) => `  listen ${address}${how}${proxyProtocol};`)
    .join('\n');
}

/** Directives of every server: logs, and the address of the client. */
function common({ logFolder, balancer }: Deployment['web']): readonly string[] {
  return [
    // Below 'emerg', nginx quotes the request in the error log. The access log has the failures of an upstream.
    `  access_log ${logFolder}/access.log vestibule;`,
    `  error_log ${logFolder}/error.log emerg;`,
    ...(balancer === undefined
      ? []
      : [
          ...balancer.addresses.map((network) => `  set_real_ip_from ${network};`),
          `  real_ip_header ${balancer.clientAddress === 'proxy-protocol' ? 'proxy_protocol' : balancer.clientAddress};`,
          '  real_ip_recursive on;',
        ]),
    // Any other client could send passwords in plain text.
    ...(balancer?.endsTls === true ? ['  if ($vestibule_is_balancer = 0) { return 403; }'] : []),
  ];
}

function tlsOf({ certificate, certificateKey, balancer }: Deployment['web']): readonly string[] {
  if (balancer?.endsTls === true) return [];
  return [
    `  ssl_certificate ${certificate ?? ''};`,
    `  ssl_certificate_key ${certificateKey ?? ''};`,
    ...tlsSettings,
  ];
}

/** Whether a connection comes from a balancer that ends TLS. */
function balancerAddresses({ balancer }: Deployment['web']): string {
  if (balancer?.endsTls !== true) return '';
  const addresses = balancer.addresses.map((network) => `  ${network} 1;\n`).join('');
  return `\ngeo $realip_remote_addr $vestibule_is_balancer {\n  default 0;\n${addresses}}\n`;
}

/** Servers of names that are not of the deployment, and of plain http. */
function otherNames({ web, nodeTls }: Deployment): string {
  const { balancer, httpPort, httpsPort, acmeFolder } = web;
  const server = (...directives: readonly string[]): string =>
    ['server {', ...directives, ...common(web), '  server_name _;', '  server_tokens off;', '}', ''].join(
      '\n',
    );
  const health =
    balancer === undefined
      ? []
      : [
          '  # For the health check of the balancer: 200 while a process is ready.',
          '  location = /ready {',
          ...balancer.addresses.map((network) => `    allow ${network};`),
          '    deny all;',
          `    proxy_pass ${schemeOf(nodeTls)}://vestibule_service/ready;`,
          '    proxy_connect_timeout 2s;',
          '    proxy_read_timeout 3s;',
          '    proxy_next_upstream error timeout http_503;',
          ...(nodeTls === undefined ? [] : [checkedTls(nodeTls)]),
          '  }',
        ];
  const plain = '  set $vestibule_host plain;';
  if (balancer?.endsTls === true)
    return server(
      listenOn(web, httpPort, ' default_server'),
      plain,
      ...health,
      '  location / { return 404; }',
    );
  return (
    server(
      listenOn(web, httpPort, ' default_server'),
      plain,
      ...health,
      `  location /.well-known/acme-challenge/ { root ${acmeFolder}; }`,
      `  location / { return 301 https://$host${portSuffix(publicPorts(web).https, 443)}$request_uri; }`,
    ) +
    server(
      '  # No certificate for other names.',
      listenOn(web, httpsPort, ' ssl default_server'),
      '  set $vestibule_host unknown;',
      '  ssl_reject_handshake on;',
    )
  );
}

const schemeOf = (nodeTls: Deployment['nodeTls']): 'http' | 'https' =>
  nodeTls === undefined ? 'http' : 'https';

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
