import type { RawLocation } from '../platform/platform';
import { matchRoute } from './matchRoute';

/**
 * The id of a one-time link, as opaque text (decisions §9): the address's last segment, decoded once. Asked of the address
 * itself, because the store holds it masked. `null`: none, or one that a server could take for a step in a path.
 */
export function linkIdOf({ pathname }: Pick<RawLocation, 'pathname'>): string | null {
  const { hash, magiclinkId } = matchRoute(pathname)?.params ?? {};
  return fitId(decode(hash ?? magiclinkId ?? ''));
}

/** The id that `/reset` takes from its query. */
export function linkIdInQuery({ search }: Pick<RawLocation, 'search'>): string | null {
  return fitId(new URLSearchParams(search).get('hash'));
}

/** Longest id that the contract takes, in UTF-16 units. */
const longestId = 512;

const fitId = (id: string | null): string | null =>
  id === null || ['', '.', '..'].includes(id) || id.length > longestId ? null : id;

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null; // A percent sign that begins nothing.
  }
}
