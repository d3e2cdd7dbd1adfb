import type { RawLocation } from '@shared/ports/ports';
import { mask } from '@shared/routing/location.slice';
import { routes } from './routes';

/** Query parameters that are secrets, on any route: a provider's code and state, the hash of `/reset`. */
const secretParameters: readonly string[] = ['code', 'state', 'hash', 'id_token', 'session_state'];

/** An address without its secrets, and the secrets for the vault. */
interface MaskedLocation {
  readonly pathname: string;
  readonly search: string;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Takes link ids and provider codes out of an address (docs/behaviour.md#addresses-in-the-store): each is as good as a password. */
export function maskLocation({ pathname, search }: Pick<RawLocation, 'pathname' | 'search'>): MaskedLocation {
  const secrets: Record<string, string> = {};
  return {
    pathname: maskPath(pathname, secrets),
    search: maskSearch(search, secrets),
    secrets,
  };
}

function maskPath(pathname: string, secrets: Record<string, string>): string {
  for (const { pattern, isLink } of Object.values(routes)) {
    if (!isLink) continue;
    const [head = '', name = ''] = pattern.split(':');
    // Everything after the first segment is secret, also in a path with more segments than the route: the page redirects it,
    // but has put it into the store before.
    const secret = pathname.startsWith(head) ? pathname.slice(head.length).replace(/\/+$/, '') : '';
    if (secret === '') continue;
    secrets[name] = secret;
    return head + mask;
  }
  return pathname;
}

function maskSearch(search: string, secrets: Record<string, string>): string {
  const parameters = new URLSearchParams(search);
  let found = false;
  for (const name of secretParameters) {
    const value = parameters.get(name);
    if (value === null) continue;
    secrets[name] = value;
    parameters.set(name, mask);
    found = true;
  }
  // A query without secrets is kept as it is, because serialising it again would change how `url` is written.
  return found ? `?${parameters.toString()}` : search;
}
