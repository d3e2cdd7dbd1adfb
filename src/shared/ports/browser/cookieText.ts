import Cookies from 'js-cookie';

/** Largest name + value that browsers keep, in bytes. Anything over it is dropped silently and the old value stays. */
export const cookieLimit = 4096;

/** One `name=value` pair of `document.cookie`: the name as it is there, the value decoded. */
export interface StoredCookie {
  readonly encodedName: string;
  readonly value: string;
}

/**
 * A cookie name as js-cookie writes it, which does not export the function; a test holds the two together.
 * `null` for text that has no UTF-8 form (an unpaired surrogate), and for the empty name.
 */
export function encodeName(name: string): string | null {
  if (name === '') return null;
  return wellFormed(() =>
    encodeURIComponent(name)
      .replace(/%(?:2[346B]|5E|60|7C)/g, decodeURIComponent)
      .replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29')),
  );
}

/** Decodes a cookie name; `null` when it is not percent-encoded text (another application's cookie). */
export function decodeName(encodedName: string): string | null {
  return wellFormed(() => decodeURIComponent(encodedName));
}

/** Bytes that name and value take in the browser; `null` when one of them cannot be encoded. */
export function cookieSize(name: string, value: string): number | null {
  const encodedName = encodeName(name);
  const encodedValue = wellFormed(() => Cookies.converter.write?.(value, name));
  // The encoded forms are ASCII: one character is one byte.
  return encodedName === null || encodedValue === null ? null : encodedName.length + encodedValue.length;
}

/**
 * Every pair of `document.cookie`, in its order. Our own parser, because js-cookie returns the first value of a
 * name only, and a second one is a sibling host's.
 */
export function parseCookies(text: string): readonly StoredCookie[] {
  return text.split('; ').flatMap((pair) => {
    const end = pair.indexOf('=');
    return end <= 0 ? [] : [{ encodedName: pair.slice(0, end), value: decodeValue(pair.slice(end + 1)) }];
  });
}

/** A value that is not percent-encoded text is kept as it is, so that its reader finds it malformed, not missing. */
function decodeValue(encoded: string): string {
  return encoded === '' ? '' : (wellFormed(() => Cookies.converter.read?.(encoded, '')) ?? encoded);
}

function wellFormed(convert: () => string | undefined): string | null {
  try {
    return convert() ?? null;
  } catch {
    return null;
  }
}
