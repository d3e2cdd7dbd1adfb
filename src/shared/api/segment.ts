import { ApiError } from './apiError';

/** Longest text that travels as a segment; the contract's limit. Proxies cut off addresses that are much longer. */
const longestSegment = 512;

/**
 * Opaque text as one segment of a path (decisions §9).
 *
 * @throws ApiError `unexpected` for what cannot be one: empty, `.` and `..` (which address parsers fold away, encoded or
 * not), text without a UTF-8 form, text over 512 characters. No request is made.
 */
export function segment(text: string): string {
  const encoded = encode(text);
  if (encoded === null || /^\.{0,2}$/.test(text) || text.length > longestSegment)
    throw new ApiError('unexpected');
  return encoded;
}

function encode(text: string): string | null {
  try {
    return encodeURIComponent(text);
  } catch {
    return null; // An unpaired surrogate.
  }
}
