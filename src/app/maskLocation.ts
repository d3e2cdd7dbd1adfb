import type { RawLocation } from '@shared/ports/ports';
import { mask } from '@shared/routing/location.slice';
import { routes } from './routes';

/** Query parameters that are secrets, on any route: a provider's code and state, the hash of `/reset`. */
const secretParameters: readonly string[] = ['code', 'state', 'hash', 'id_token', 'session_state'];

/** An address as the store may hold it, and what had to be taken out of it for the vault. */
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
    // Everything after the head, also of a path too deep for the route: it is redirected, but was in the address.
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
  // Untouched otherwise: re-serialising would change how the query is written, and `url` has to be kept as it came.
  return found ? `?${parameters.toString()}` : search;
}
