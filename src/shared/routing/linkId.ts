/** The longest id that the contract accepts, in UTF-16 units. */
const longestId = 512;

/**
 * The id of a one-time link (docs/behaviour.md#one-time-links): the last segment of the address, decoded once; `null` if it
 * is missing, or could be read as a step in a path.
 */
export const linkIdIn = (segment: string | undefined): string | null => fitId(decode(segment ?? ''));

/** The id that `/reset` takes from its query. */
export const linkIdInQuery = (search: string): string | null =>
  fitId(new URLSearchParams(search).get('hash'));

const fitId = (id: string | null): string | null =>
  id === null || ['', '.', '..'].includes(id) || id.length > longestId ? null : id;

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null; // A percent sign that begins nothing.
  }
}
