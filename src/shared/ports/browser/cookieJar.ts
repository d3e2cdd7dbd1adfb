import { cookieLimit, decodeName, encodeName, parseCookies } from '@vestibule/client/cookieText';
import type { AppConfig } from '@vestibule/contract/appConfig';
import Cookies from 'js-cookie';
import type { CookieJar } from '../ports';

/** The cookies of the parent domain (docs/behaviour.md#cookies). Never throws: a frame without storage reads as an empty jar. */
export function createCookieJar(
  browser: Window,
  { prefix, domain, sameSite }: AppConfig['cookies'],
): CookieJar {
  const { document, location } = browser;
  const secure = sameSite === 'None' || (browser.isSecureContext && location.protocol === 'https:');
  const set = (name: string, value: string, more: Cookies.CookieAttributes) =>
    // A sandboxed frame throws on every access. `write` and `remove` read back.
    attempt(() => Cookies.set(name, value, { sameSite, secure, path: '/', ...more }));
  const shared = domain === undefined ? {} : { domain };
  const stored = () => attempt(() => parseCookies(document.cookie)) ?? [];
  const readAll = (name: string) => {
    const wanted = encodeName(name);
    return stored().flatMap(({ encodedName, value }) => (encodedName === wanted ? [value] : []));
  };
  const remove = (name: string) => {
    for (const one of [shared, {}]) set(name, '', { ...one, expires: expired });
    // A sibling host may have set it on another parent domain or path.
    if (readAll(name).length > 0)
      for (const one of placesOf(location)) set(name, '', { ...one, expires: expired });
  };
  return {
    readAll,
    remove,
    names: () => [...new Set(stored().flatMap(({ encodedName }) => decodeName(encodedName) ?? []))],
    write: (name, value, life) => {
      const size = attempt(
        () => `${encodeName(name) ?? ''}${Cookies.converter.write?.(value, name) ?? ''}`.length,
      );
      // A browser would drop a longer one without an error.
      if (size === undefined || size > cookieLimit) return false;
      set(name, value, { ...shared, ...(life?.kind === 'until' ? { expires: new Date(life.at) } : {}) });
      return readAll(name).includes(value);
    },
    enabled: () => {
      const probe = `${prefix}-probe`;
      // Host-only first, so that a wrong domain is not reported as cookies switched off. In a frame of a sibling under
      // `localhost`, WebKitGTK refuses the host-only cookie and keeps the one with the domain.
      return [{}, shared].some((one) => {
        set(probe, '1', one);
        const isKept = readAll(probe).length > 0;
        if (isKept) remove(probe);
        return isKept;
      });
    },
  };
}

const expired = new Date(0);

/** Every domain and path whose cookies this page sees: `login.pay.example/a` → `pay.example`, `/`, … */
function placesOf({ hostname, pathname }: Location): readonly Cookies.CookieAttributes[] {
  const labels = hostname.split('.');
  const domains = [{}, ...labels.map((_label, index) => ({ domain: labels.slice(index).join('.') }))];
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const paths = segments.map((_segment, index) => `/${segments.slice(0, index + 1).join('/')}`);
  return domains.flatMap((domain) =>
    ['/', ...paths.flatMap((path) => [path, `${path}/`])].map((path) => ({ ...domain, path })),
  );
}

function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
