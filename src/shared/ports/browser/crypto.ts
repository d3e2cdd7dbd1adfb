/** 128 random bits as lower-case hex. Needs no secure context, unlike `crypto.randomUUID`. */
export function randomId(crypto: Crypto): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

/** Lower-case hex SHA-256 of a text's UTF-8; `null` where the browser has no WebCrypto (a page without https). */
export async function sha256Hex(text: string): Promise<string | null> {
  const { crypto } = globalThis as { readonly crypto?: Partial<Crypto> };
  if (!crypto?.subtle) return null;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toHex(new Uint8Array(digest));
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
