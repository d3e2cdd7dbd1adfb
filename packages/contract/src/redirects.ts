import type { AppConfig } from './appConfig.ts';

// Control characters, which browsers remove silently, and the backslash, which they read as a slash.
const forbidden = /[\u0000-\u001f\u007f-\u009f\\]/;
/** Two slashes, then a host. `https:host` and `https:///host` do not match. */
const absolute = /^https?:\/\/(?<authority>[^/?#]+)/i;
/** A path on the login host; `//host` is not one. */
const path = /^\/(?!\/)/;
/** Segments of plain characters below a base: a server must not read an encoded dot or slash as another path. */
const plainPath = /^[\w.~-]+(?:\/[\w.~-]+)*(?:[?#]|$)/;

/**
 * The redirect allowlist (docs/behaviour.md#redirect-allowlist).
 *
 * @param folders addresses below which a redirect may also lead, each with a slash at its end.
 * @returns the parsed address, to which a browser is sent instead of the input; `null` if it is refused.
 */
export function permittedRedirect(
  target: string,
  { signOnUrl, redirectHosts }: Pick<AppConfig, 'signOnUrl' | 'redirectHosts'>,
  folders: readonly string[] = [],
): URL | null {
  if (forbidden.test(target)) return null;
  const authority = absolute.exec(target)?.groups?.['authority'];
  // User information makes an address look like another host's: https://login.example@evil.example
  if (authority === undefined ? !path.test(target) : authority.includes('@')) return null;

  const login = new URL(signOnUrl);
  const url = parsedUrl(target, login);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  if (login.protocol === 'https:' && url.protocol !== 'https:') return null;
  const isPermitted =
    url.host === login.host ||
    redirectHosts.some((rule) => hostMatches(url.host, rule)) ||
    folders.some((folder) => isBelow(url, new URL(folder)));
  return isPermitted ? url : null;
}

/** Parsing has resolved all dot segments, encoded ones too. */
const isBelow = ({ href }: URL, { href: base }: URL): boolean =>
  href.startsWith(base) && plainPath.test(href.slice(base.length));

/** Compares a host with a rule, which is a host or `*.parent`. A port that is not the default is part of the host. */
function hostMatches(host: string, rule: string): boolean {
  const wanted = rule.toLowerCase();
  if (!wanted.startsWith('*.')) return host === wanted;
  return host.endsWith(wanted.slice(1)) && host.length > wanted.length - 1;
}

/** @returns `null` for what is no address. */
export function parsedUrl(target: string, base?: URL): URL | null {
  try {
    // `URL.canParse` is not used, because in Node.js it sometimes fails for non-ASCII letters.
    return new URL(target, base);
  } catch {
    return null;
  }
}
