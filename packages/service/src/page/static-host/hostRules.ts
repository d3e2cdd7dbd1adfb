import type { AppConfig } from '@vestibule/contract/appConfig';
import { expireCookiesPath, expiredCookies } from '@vestibule/contract/expiredCookies';
import { filePath, type FilledPage } from '@vestibule/contract/page';
import {
  allowInline,
  appHeaders,
  unframedSegments,
  unreportedSegments,
  type AppHeaderFacts,
} from '@vestibule/contract/pageHeaders';
import { returnPoint } from '@vestibule/contract/returnPoint';
import { hostnames } from '../../platform/http/hostnames.ts';
import { fileHeaders } from '../builtFiles.ts';
import { changePassword, headerFacts, noStore } from '../headerFacts.ts';

export type Headers = Readonly<Record<string, string>>;

/** The headers of some requests: those that meet each given condition. */
export interface HeaderRule {
  /** Names of hosts, in lower case and without port. */
  readonly hosts?: readonly string[];
  /** A regular expression for the address as received, with its query. */
  readonly target?: string;
  /** A regular expression for the decoded path, whatever its case. */
  readonly path?: string;
  readonly hasQuery?: true;
  /** The headers of the page. */
  readonly page: Headers;
  /** The headers of every other response. */
  readonly other: Headers;
}

/** Files, and their headers besides those of the address. */
interface FileRule {
  readonly path: string;
  /** Where the name does not tell the type. */
  readonly type?: string;
  readonly headers: Headers;
}

/** How a host other than the service serves the page (docs/behaviour.md#headers-of-the-host). */
export interface HostRules {
  /** The first that matches holds. The last matches every request. */
  readonly headers: readonly HeaderRule[];
  /** The first whose regular expression matches the path holds. */
  readonly files: readonly FileRule[];
  /** A regular expression for the paths of compressed copies, which are missing. */
  readonly copies: string;
  /** A regular expression for paths that are missing without a file, unless a browser navigates there. Any other is the page. */
  readonly missing: string;
  /** The path with a redirect, and where it leads. */
  readonly redirect: readonly [from: string, to: string];
  /** What a POST of the page itself (`Sec-Fetch-Site: same-origin`) gets at a path: 204 with these cookies. */
  readonly expire: { readonly path: string; readonly cookies: readonly string[] };
}

/** @param others what the host sends besides the page and the files in `assets/`: the type of each, if its name does not tell it */
export function hostRules(
  config: AppConfig,
  page: FilledPage,
  others: ReadonlyMap<string, string | undefined>,
  transportSecurity: string | undefined,
): HostRules {
  const facts = {
    ...headerFacts(config),
    ...(transportSecurity === undefined ? {} : { transportSecurity }),
  };
  const headersOf = (given: Pick<AppHeaderFacts, 'path' | 'hasQuery' | 'shortLinkHost'>) => {
    const other = appHeaders({ ...facts, ...given });
    return { page: { ...allowInline(other, page.inline), ...noStore }, other };
  };
  const shortLinkHosts = [...hostnames(config.shortLinkHosts)];
  const unreported = headersOf({ path: '/', hasQuery: true });
  return {
    headers: [
      ...(shortLinkHosts.length === 0
        ? []
        : [{ hosts: shortLinkHosts, ...headersOf({ path: '/', shortLinkHost: true }) }]),
      { target: `^${returnPoint}(?:\\?|$)`, ...headersOf({ path: returnPoint }) },
      { path: within(unframedSegments), ...headersOf({ path: '/unauthorized' }) },
      ...(config.reportsTo === undefined
        ? []
        : [
            { path: within(unreportedSegments), ...unreported },
            { hasQuery: true as const, ...unreported },
          ]),
      headersOf({ path: '/' }),
    ],
    files: [
      {
        path: String.raw`^/assets/(?:logo|font)\.[0-9a-f]{10}\.\w+$`,
        headers: fileHeaders('logo.0123456789.png'),
      },
      { path: '^/assets/', headers: fileHeaders('main.01234567.js') },
      ...Array.from(others, ([file, type]) => ({
        path: `^${escaped(file)}$`,
        ...(type === undefined ? {} : { type }),
        headers: fileHeaders(file),
      })),
    ],
    copies: String.raw`\.(?:br|gz)$`,
    missing: filePath,
    redirect: changePassword,
    expire: { path: expireCookiesPath, cookies: expiredCookies(config.cookies, { secure: facts.https }) },
  };
}

/** For a regular expression. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Paths whose first segment is one of these. */
const within = (segments: ReadonlySet<string>): string => `^/+(?:${[...segments].join('|')})(?:/|$)`;

/** The names of all headers of a kind, and the value of each that every rule has; `null` if it differs. */
export function namesOf(
  rules: readonly HeaderRule[],
  kind: 'page' | 'other',
): ReadonlyMap<string, string | null> {
  const names = new Set(rules.flatMap((rule) => Object.keys(rule[kind])));
  return new Map(
    Array.from(names, (name) => {
      const [value, ...others] = new Set(rules.map((rule) => rule[kind][name] ?? null));
      return [name, others.length > 0 ? null : (value ?? null)] as const;
    }),
  );
}
