import * as v from 'valibot';
import type { ConfigFault } from './config.messages';

/** The kinds of value in the configuration block. */

/** The message of a check: the fault by name, because its words are fetched only when they are shown. */
export const fault = (name: ConfigFault): ConfigFault => name;

const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const host = `(?:${label}(?:\\.${label})*|\\[[0-9a-f:.]+\\])(?::[0-9]{1,5})?`;
const exactHost = new RegExp(`^${host}$`);
// At least two labels below the star: `*.com` would let a redirect lead anywhere.
const hostPattern = new RegExp(`^(?:${host}|\\*\\.${label}(?:\\.${label})+(?::[0-9]{1,5})?)$`);

const isFilled = (text: string) => text.trim() !== '';

/** Text that is not blank. */
export const text = v.pipe(v.string(fault('text')), v.check(isFilled, fault('filled')));

/** A yes or no. */
export const flag = v.boolean(fault('flag'));

/** A length of time, s. */
export const seconds = v.pipe(v.number(fault('seconds')), v.minValue(0, fault('seconds')));

/** The part of a cookie name before the first suffix; what cookie names may hold without encoding. */
export const cookiePrefix = v.pipe(text, v.regex(/^[A-Za-z0-9._-]+$/, fault('cookiePrefix')));

/** A domain without a leading dot. */
export const domain = v.pipe(
  text,
  v.toLowerCase(),
  v.regex(new RegExp(`^${label}(?:\\.${label})*$`), fault('domain')),
);

/** A list of hosts, each with its port where that is not the default. */
export const hosts = v.array(v.pipe(text, v.toLowerCase(), v.regex(exactHost, fault('host'))), fault('list'));

/** A list of hosts and of `*.parent` patterns. */
export const hostPatterns = v.array(
  v.pipe(text, v.toLowerCase(), v.regex(hostPattern, fault('hostPattern'))),
  fault('list'),
);

/** An address that people or calls are sent to; kept as it was written. */
export const address = v.pipe(text, v.check(isHttpAddress, fault('address')));

/** A base to which paths are appended: no trailing slash, no query. */
export const base = v.pipe(
  address,
  v.check((url) => !/[?#]/.test(url), fault('noQuery')),
  v.transform(withoutTrailingSlash),
);

/** Scheme, host and port, and nothing else. */
export const origin = v.pipe(
  address,
  v.transform(withoutTrailingSlash),
  v.check((url) => new URL(url).origin === url.toLowerCase(), fault('origin')),
  v.toLowerCase(),
);

/** Where `{tenantId}` is filled in (decisions §1). */
export const tenantAddress = v.pipe(
  text,
  v.check((url) => url.split('{tenantId}').length === 2, fault('tenantOnce')),
  v.check(
    (url) => isHttpAddress(url.replace('{tenantId}', 'common')) && !/^[^/]*\/\/[^/]*\{/.test(url),
    fault('tenantInPath'),
  ),
);

/** An e-mail address, as far as a link to it needs to know. */
export const email = v.pipe(text, v.regex(/^[^\s@]+@[^\s@]+$/, fault('email')));

/** `https://host` and not `https:host`, which browsers repair; no back-slashes, no blanks, no user information. */
function isHttpAddress(url: string): boolean {
  if (!/^https?:\/\/[^/\\\s][^\\\s]*$/i.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
