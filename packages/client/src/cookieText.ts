import { tryOrNull } from './tryOrNull.ts';

/** Largest name + value that browsers keep, in bytes. Anything over it is dropped silently and the old value stays. */
export const cookieLimit = 4096;

/** One `name=value` pair of `document.cookie`: the name as it is there, the value decoded. */
type StoredCookie = readonly [encodedName: string, value: string];

/**
 * A cookie name as js-cookie writes it. `null` for text that has no UTF-8 form (an unpaired surrogate), and for the empty name.
 */
export function encodeName(name: string): string | null {
  if (name === '') return null;
  return tryOrNull(() =>
    encodeURIComponent(name)
      .replace(/%(?:2[346B]|5E|60|7C)/g, decodeURIComponent)
      .replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29')),
  );
}

/** Decodes a cookie name; `null` when it is not percent-encoded text (another application's cookie). */
export function decodeName(encodedName: string): string | null {
  return tryOrNull(() => decodeURIComponent(encodedName));
}

/** A value as js-cookie writes it; `null` for text that has no UTF-8 form. */
export function encodeValue(value: string): string | null {
  return tryOrNull(() =>
    encodeURIComponent(value).replace(/%(?:2[346BF]|3[AC-F]|40|5[BDE]|60|7[BCD])/g, decodeURIComponent),
  );
}

/** Every pair of `document.cookie`, in its order: a second value of a name is a sibling host's. */
export function parseCookies(text: string): readonly StoredCookie[] {
  return text.split('; ').flatMap((pair) => {
    const end = pair.indexOf('=');
    return end <= 0 ? [] : [[pair.slice(0, end), decodeValue(pair.slice(end + 1))] as const];
  });
}

/** A value that is not percent-encoded text is kept as it is, so that its reader finds it malformed, not missing. */
function decodeValue(encoded: string): string {
  const text = encoded.startsWith('"') ? encoded.slice(1, -1) : encoded;
  return tryOrNull(() => text.replace(/(?:%[\dA-F]{2})+/gi, decodeURIComponent)) ?? encoded;
}
