/** Lower-case hex SHA-256 of a text's UTF-8; `null` where the browser has no WebCrypto (a page without https). */
export async function sha256Hex(text: string): Promise<string | null> {
  const { crypto } = globalThis as { readonly crypto?: Partial<Crypto> };
  if (!crypto?.subtle) return null;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
