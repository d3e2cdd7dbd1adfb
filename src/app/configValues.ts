import * as v from 'valibot';

/** The kinds of value in the configuration block. Every message completes "Configuration key '…' …". */

const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const host = `(?:${label}(?:\\.${label})*|\\[[0-9a-f:.]+\\])(?::[0-9]{1,5})?`;
const exactHost = new RegExp(`^${host}$`);
// At least two labels below the star: `*.com` would let a redirect lead anywhere.
const hostPattern = new RegExp(`^(?:${host}|\\*\\.${label}(?:\\.${label})+(?::[0-9]{1,5})?)$`);

const isFilled = (text: string) => text.trim() !== '';

/** Text that is not blank. */
export const text = v.pipe(v.string('must be a string'), v.check(isFilled, 'must not be empty'));

/** A yes or no. */
export const flag = v.boolean('must be true or false');

/** The part of a cookie name before the first suffix; what cookie names may hold without encoding. */
export const cookiePrefix = v.pipe(
  text,
  v.regex(/^[A-Za-z0-9._-]+$/, 'must consist of letters, digits, dots, hyphens and underscores'),
);

/** A domain without a leading dot. */
export const domain = v.pipe(
  text,
  v.toLowerCase(),
  v.regex(new RegExp(`^${label}(?:\\.${label})*$`), 'must be a domain such as example.com'),
);

/** A list of hosts, each with its port where that is not the default. */
export const hosts = v.array(
  v.pipe(text, v.toLowerCase(), v.regex(exactHost, 'must be a host such as go.example.com:8443')),
  'must be a list',
);

/** A list of hosts and of `*.parent` patterns. */
export const hostPatterns = v.array(
  v.pipe(
    text,
    v.toLowerCase(),
    v.regex(hostPattern, 'must be a host, or a pattern such as *.example.com:8443'),
  ),
  'must be a list',
);

/** An address that people or calls are sent to; kept as it was written. */
export const address = v.pipe(text, v.check(isHttpAddress, 'must be an absolute http(s) URL'));

/** A base to which paths are appended: no trailing slash, no query. */
export const base = v.pipe(
  address,
  v.check((url) => !/[?#]/.test(url), 'must not have a query or a fragment'),
  v.transform(withoutTrailingSlash),
);

/** Scheme, host and port, and nothing else. */
export const origin = v.pipe(
  address,
  v.transform(withoutTrailingSlash),
  v.check(
    (url) => new URL(url).origin === url.toLowerCase(),
    'must be an origin such as https://login.example.com',
  ),
  v.toLowerCase(),
);

/** Where `{tenantId}` is filled in (decisions §1). */
export const tenantAddress = v.pipe(
  text,
  v.check((url) => url.split('{tenantId}').length === 2, 'must contain {tenantId} once'),
  v.check(
    (url) => isHttpAddress(url.replace('{tenantId}', 'common')) && !/^[^/]*\/\/[^/]*\{/.test(url),
    'must be an absolute http(s) URL with {tenantId} in its path',
  ),
);

/** An e-mail address, as far as a link to it needs to know. */
export const email = v.pipe(text, v.regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'));

/** `https://host` and not `https:host`, which browsers repair; no back-slashes, no blanks, no user information. */
function isHttpAddress(url: string): boolean {
  if (!/^https?:\/\/[^/\\\s][^\\\s]*$/i.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
