import Cookies from 'js-cookie';
import type { AppConfig } from '@vestibule/contract/appConfig';
import type { CookieJar, CookieLife } from '../ports';
import { cookieLimit, cookieSize, decodeName, encodeName, parseCookies } from './cookieText';

/** Last second of the year 9999: browsers do not read a later `Expires` and would keep the cookie for the session. */
const lastExpiryMs = 253_402_300_799_000;

/** The cookies of the parent domain (docs/behaviour.md#cookies). Never throws: a frame without storage reads as an empty jar. */
export function createCookieJar(browser: Window, config: AppConfig['cookies']): CookieJar {
  const secure =
    config.sameSite === 'None' || (browser.isSecureContext && browser.location.protocol === 'https:');
  const common = { sameSite: config.sameSite, secure };
  const attributes = { ...common, path: '/', ...withDomain(config.domain) };

  const stored = () => {
    try {
      return parseCookies(browser.document.cookie);
    } catch {
      return []; // A sandboxed frame throws on every access.
    }
  };
  const set = (name: string, value: string, cookieAttributes: Cookies.CookieAttributes) => {
    try {
      Cookies.set(name, value, cookieAttributes);
    } catch {
      // Nothing to do: `write` and `remove` read back.
    }
  };
  const readAll = (name: string) => {
    const encodedName = encodeName(name);
    return stored().flatMap((cookie) => (cookie.encodedName === encodedName ? [cookie.value] : []));
  };
  const expire = (name: string, domains: readonly (string | undefined)[], paths: readonly string[]) => {
    for (const domain of domains) {
      for (const path of paths)
        set(name, '', { ...common, path, ...withDomain(domain), expires: new Date(0) });
    }
  };
  const remove = (name: string) => {
    expire(name, [config.domain, undefined], ['/']);
    // A sibling host may have set it on another parent domain or path.
    if (readAll(name).length > 0) expire(name, domainsOf(browser.location), pathsOf(browser.location));
  };

  return {
    readAll,
    remove,
    names: () => [...new Set(stored().flatMap(({ encodedName }) => decodeName(encodedName) ?? []))],
    write: (name, value, life) => {
      const size = cookieSize(name, value);
      if (size === null || size > cookieLimit) return false;
      set(name, value, { ...attributes, ...expiryOf(life) });
      return readAll(name).includes(value);
    },
    enabled: () => {
      const probe = `${config.prefix}-probe`;
      // Host-only first, so that a wrong `cookies.domain` is not reported as cookies switched off. In a frame of a sibling under
      // `localhost`, WebKitGTK refuses the host-only cookie and keeps the one with the domain.
      return [{ ...common, path: '/' }, attributes].some((candidate) => {
        set(probe, '1', candidate);
        const kept = readAll(probe).length > 0;
        if (kept) remove(probe);
        return kept;
      });
    },
  };
}

const withDomain = (domain: string | undefined) => (domain === undefined ? {} : { domain });

function expiryOf(life: CookieLife): Cookies.CookieAttributes {
  switch (life.kind) {
    case 'session':
      return {};
    case 'days':
      return { expires: life.days };
    case 'until':
      return { expires: new Date(Math.min(life.at, lastExpiryMs)) };
  }
}

/** This host alone, and every domain that may share cookies with it: login.pay.example, pay.example, example. */
function domainsOf({ hostname }: Location): readonly (string | undefined)[] {
  const labels = hostname.split('.');
  return [undefined, ...labels.map((_label, index) => labels.slice(index).join('.'))];
}

/** Every path whose cookies this page sees: `/a/b` → `/`, `/a`, `/a/`, `/a/b`, `/a/b/`. */
function pathsOf({ pathname }: Location): readonly string[] {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const prefixes = segments.map((_segment, index) => `/${segments.slice(0, index + 1).join('/')}`);
  return ['/', ...prefixes.flatMap((prefix) => [prefix, `${prefix}/`])];
}
