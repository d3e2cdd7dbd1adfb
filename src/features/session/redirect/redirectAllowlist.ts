import type { AppConfig } from '@vestibule/contract/appConfig';
import type { Feature } from '@shared/deps';
import type { AllowedUrl } from '@shared/ports/ports';

/** Where a redirect may lead: the part of the configuration, and the folders of the service that features add. */
export interface RedirectRules {
  readonly config: Pick<AppConfig, 'signOnUrl' | 'serviceUrl' | 'redirectHosts'>;
  readonly features: readonly Pick<Feature, 'redirectsBelow'>[];
}

// Control characters, which browsers remove silently, and the backslash, which they read as a slash.
const forbidden = /[\u0000-\u001f\u007f-\u009f\\]/;
/** Two slashes, then a host. `https:host` and `https:///host` do not match. */
const absolute = /^https?:\/\/(?<authority>[^/?#]+)/i;
/** A path on the login host; `//host` is not one. */
const path = /^\/(?!\/)/;
/** Segments of plain characters below a base: a server must not read an encoded dot or slash as another path. */
const plainPath = /^[\w.~-]+(?:\/[\w.~-]+)*(?:[?#]|$)/;

/**
 * The only check for redirects (docs/behaviour.md#redirect-allowlist). It returns a parsed and serialised address, and the
 * caller navigates to this address and not to its input. `null` means that the address counts as absent.
 */
export function allowRedirect(
  target: string | null | undefined,
  { config, features }: RedirectRules,
): AllowedUrl | null {
  if (!target || forbidden.test(target)) return null;
  const authority = absolute.exec(target)?.groups?.['authority'];
  // User information makes an address look like another host's: https://login.example@evil.example
  if (authority === undefined ? !path.test(target) : authority.includes('@')) return null;

  const login = new URL(config.signOnUrl);
  const url = parse(target, login);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  if (login.protocol === 'https:' && url.protocol !== 'https:') return null;
  const allowed =
    url.host === login.host ||
    config.redirectHosts.some((rule) => hostMatches(url.host, rule)) ||
    features.some(
      ({ redirectsBelow: folder }) => folder && isBelow(url, new URL(config.serviceUrl + folder)),
    );
  return allowed ? pass(url) : null;
}

/** Parsing has resolved all dot segments, encoded ones too. */
const isBelow = ({ href }: URL, { href: base }: URL): boolean =>
  href.startsWith(base) && plainPath.test(href.slice(base.length));

/** The check for addresses of the configuration (`links.*`, `signOnUrl`): any http(s) address. */
export function allowConfigured(target: string): AllowedUrl | null {
  const url = parse(target);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? pass(url) : null;
}

/** Compares a host with a rule, which is a host or `*.parent`. A port that is not the default is part of the host. */
function hostMatches(host: string, rule: string): boolean {
  const wanted = rule.toLowerCase();
  if (!wanted.startsWith('*.')) return host === wanted;
  return host.endsWith(wanted.slice(1)) && host.length > wanted.length - 1;
}

function parse(target: string, base?: URL): URL | null {
  try {
    // `URL.canParse` is not used, because in Node.js it sometimes fails for non-ASCII letters.
    return new URL(target, base);
  } catch {
    return null;
  }
}

// No other file makes an `AllowedUrl`, so that each address to leave for has passed this check.
const pass = (url: URL): AllowedUrl => url.href as AllowedUrl;
