import { expireCookiesPath } from '@vestibule/contract/expiredCookies';
import { paths } from '@vestibule/contract/paths';

const addresses = Object.values<(value: never) => string>(paths).map((make) => make('' as never));
const screens = new Set(['/', ...addresses, expireCookiesPath].map((address) => address.split(/[/?]/)[1]));
const assetPath = /^\/assets\/[\w-]+\.[0-9a-f]{8,10}\.[a-z0-9.]+$/;

/** The part of an address that may be logged: a known screen or file. The rest may be a secret. */
export function loggedPath(target = '/', isShortLink = false): string {
  const [address = '/'] = target.split('?');
  if (isShortLink) return '/***';
  if (assetPath.test(address)) return address;
  const [before, screen, ...rest] = address.split('/');
  if (before !== '' || !screens.has(screen)) return '/***';
  if (rest.join('') === '') return `/${screen ?? ''}`;
  return screen === '' ? '/***' : `/${screen ?? ''}/***`;
}
