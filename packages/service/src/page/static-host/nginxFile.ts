import { escaped, namesOf, type HeaderRule, type Headers, type HostRules } from './hostRules.ts';

/** @throws Error for a character that nginx would read as a variable. */
function quoted(text: string): string {
  if (text.includes('$')) throw new Error(`nginx cannot send '${text}'.`);
  return pattern(text);
}

/** Quotes a regular expression, in which nginx reads no variables. */
const pattern = (text: string): string => `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;

const variableOf = (kind: string, name: string): string =>
  `$vestibule_${kind}_${name.toLowerCase().replaceAll('-', '_')}`;

/** Each rule sets the headers that differ; the first rule comes last, because the last `set` holds. */
function settings(rules: readonly HeaderRule[]): string {
  const differing = (['page', 'other'] as const).flatMap((kind) =>
    [...namesOf(rules, kind)].flatMap(([name, value]) => (value === null ? [{ kind, name }] : [])),
  );
  const setAll = (rule: HeaderRule): readonly string[] =>
    differing.map(({ kind, name }) => `set ${variableOf(kind, name)} ${quoted(rule[kind][name] ?? '')};`);
  return rules
    .toReversed()
    .map((rule) => {
      const condition = conditionOf(rule);
      const lines = setAll(rule);
      return condition === null
        ? lines.join('\n')
        : `if (${condition}) {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`;
    })
    .join('\n');
}

function conditionOf({ hosts, target, path, hasQuery }: HeaderRule): string | null {
  if (hosts !== undefined) return `$host ~ ${pattern(`^(?:${hosts.map(escaped).join('|')})$`)}`;
  if (target !== undefined) return `$request_uri ~ ${pattern(target)}`;
  if (path !== undefined) return `$uri ~* ${pattern(path)}`;
  return hasQuery === true ? '$is_args' : null;
}

/** The configuration of the server of the page's hosts, for nginx 1.18 or later. The server itself has `root`. */
export function nginxFile({ headers: rules, files, copies, missing, redirect, expire }: HostRules): string {
  const headersOf = (kind: 'page' | 'other'): readonly string[] =>
    Array.from(
      namesOf(rules, kind),
      ([name, value]) =>
        `  add_header ${name} ${value === null ? variableOf(kind, name) : quoted(value)} always;`,
    );
  const other = headersOf('other');
  const location = (matcher: string, ...lines: readonly string[]): string =>
    `location ${matcher} {\n${lines.join('\n')}\n}`;
  const replaced = (extra: Headers): readonly string[] => [
    ...other.filter((line) => !Object.keys(extra).some((name) => line.startsWith(`  add_header ${name} `))),
    // Without `always`: a failure is not kept.
    ...Object.entries(extra)
      .filter(([name]) => name !== 'Vary')
      .map(([name, value]) => `  add_header ${name} ${quoted(value)};`),
  ];
  const [from, to] = redirect;
  return `${[
    settings(rules),
    `set $vestibule_missing "";
if ($uri ~* ${pattern(missing)}) { set $vestibule_missing 1; }
if ($http_sec_fetch_mode = navigate) { set $vestibule_missing ""; }
set $vestibule_accepts "$http_sec_fetch_mode $http_accept";
if ($vestibule_accepts ~ "^ .*text/html") { set $vestibule_missing ""; }`,
    `gzip_static on;
gzip_vary on;
types { text/html html; text/css css; application/javascript js; application/json json; text/plain txt; image/svg+xml svg; image/png png; font/woff2 woff2; }
charset utf-8;
charset_types text/css text/plain application/javascript application/json;
error_page 404 @vestibule_missing;
error_page 405 @vestibule_method;`,
    location(
      '@vestibule_missing',
      '  default_type text/plain;',
      ...other,
      '  add_header Cache-Control no-store always;',
      '  return 404 "Not found.\\n";',
    ),
    location(
      '@vestibule_method',
      '  default_type text/plain;',
      ...other,
      '  add_header Cache-Control no-store always;',
      '  add_header Allow "GET, HEAD" always;',
      '  return 405 "Only GET and HEAD.\\n";',
    ),
    location(
      '/',
      '  if ($vestibule_missing) { return 404; }',
      '  try_files /index.html =404;',
      ...headersOf('page'),
    ),
    location(`~ ${pattern(copies)}`, '  return 404;'),
    ...files.map(({ path, type, headers }) =>
      location(
        `~ ${pattern(path)}`,
        ...(type === undefined ? [] : ['  types {}', `  default_type ${type};`]),
        '  try_files $uri =404;',
        ...replaced(headers),
      ),
    ),
    location(
      `= ${from}`,
      '  absolute_redirect off;',
      ...other,
      '  add_header Cache-Control no-store always;',
      `  return 302 ${to};`,
    ),
    location(
      `= ${expire.path}`,
      '  if ($request_method != POST) { return 403; }',
      '  if ($http_sec_fetch_site != same-origin) { return 403; }',
      ...other,
      '  add_header Cache-Control no-store always;',
      ...expire.cookies.map((cookie) => `  add_header Set-Cookie ${quoted(cookie)};`),
      '  return 204;',
    ),
  ].join('\n')}\n`;
}
