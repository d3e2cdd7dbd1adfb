import { namesOf, type HeaderRule, type Headers, type HostRules } from './hostRules.ts';

const quoted = (text: string): string => `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;
const fields = (headers: Headers): readonly string[] =>
  Object.entries(headers).map(([name, value]) => `${name} ${quoted(value)}`);
const block = (head: string, lines: readonly string[]): readonly string[] => [
  `${head} {`,
  ...lines.map((line) => `\t${line}`),
  '}',
];
const noStore = 'header Cache-Control no-store';

const matcherOf = (index: number): string => `@vestibule_${String(index)}`;

function definitionOf({ hosts, target, path, hasQuery }: HeaderRule): string | null {
  if (hosts !== undefined) return `host ${hosts.join(' ')}`;
  if (target !== undefined) return `expression \`{http.request.orig_uri}.matches(r"${target}")\``;
  if (path !== undefined) return `path_regexp ${quotedPattern(`(?i)${path}`)}`;
  return hasQuery === true ? 'expression `{http.request.orig_uri.query} != ""`' : null;
}

/** In backquotes nothing is escaped. */
const quotedPattern = (text: string): string => `\`${text}\``;

/** Sets the headers of the rule that holds. None is removed, because Caddy does that later than it sets others. */
function headersOf(rules: readonly HeaderRule[], kind: 'page' | 'other'): readonly string[] {
  const shared = [...namesOf(rules, kind)].flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  const isShared = new Set(shared.map(([name]) => name));
  return [
    ...block('header', fields(Object.fromEntries(shared))),
    ...rules.flatMap((rule, index) =>
      block(
        `header ${matcherOf(index)}`,
        fields(Object.fromEntries(Object.entries(rule[kind]).filter(([name]) => !isShared.has(name)))),
      ),
    ),
  ];
}

/** The configuration of the site of the page's hosts, for Caddy 2.6 or later. The site itself has `root`. */
export function caddyFile({ headers: rules, files, copies, missing, redirect, expire }: HostRules): string {
  const other = headersOf(rules, 'other');
  const [from, to] = redirect;
  const handle = (matcher: string, ...lines: readonly string[]): readonly string[] =>
    // Only in `route` directives keep their order.
    block(`handle ${matcher}`.trimEnd(), block('route', lines));
  const notFound = [noStore, `respond "Not found.\n" 404`];
  return `${[
    // Each rule holds where it matches and none before it does.
    ...rules.flatMap((rule, index) => {
      const own = definitionOf(rule);
      const before = rules.slice(0, index).map((one) => `not ${definitionOf(one) ?? ''}`);
      return block(matcherOf(index), [...(own === null ? [] : [own]), ...before]);
    }),
    ...block('@vestibule_own', ['method POST', 'header Sec-Fetch-Site same-origin']),
    '@vestibule_post not method GET HEAD',
    `@vestibule_copies path_regexp ${quotedPattern(copies)}`,
    ...block('@vestibule_missing', [
      `path_regexp ${quotedPattern(`(?i)${missing}`)}`,
      'not header Sec-Fetch-Mode navigate',
      ...block('not', ['header !Sec-Fetch-Mode', 'header Accept *text/html*']),
    ]),
    ...files.map(({ path }, index) => `@vestibule_file_${String(index)} path_regexp ${quotedPattern(path)}`),
    ...block('route', [
      ...handle(
        expire.path,
        ...other,
        noStore,
        ...expire.cookies.map((cookie) => `header @vestibule_own +Set-Cookie ${quoted(cookie)}`),
        'respond @vestibule_own 204',
        'respond 403',
      ),
      ...handle('@vestibule_post', ...other, noStore, 'header Allow "GET, HEAD"', 'respond 405'),
      ...handle(from, ...other, noStore, `redir * ${to} 302`),
      ...handle('@vestibule_copies', ...other, ...notFound),
      ...files.flatMap(({ type, headers }, index) =>
        handle(
          `@vestibule_file_${String(index)}`,
          ...other,
          ...block('header', fields({ ...headers, ...(type === undefined ? {} : { 'Content-Type': type }) })),
          ...block('file_server', ['precompressed br gzip', 'pass_thru']),
          ...notFound,
        ),
      ),
      ...handle('@vestibule_missing', ...other, ...notFound),
      ...handle(
        '',
        ...headersOf(rules, 'page'),
        'header Vary Accept-Encoding',
        'rewrite * /index.html',
        ...block('file_server', ['precompressed br gzip']),
      ),
    ]),
  ].join('\n')}\n`;
}
