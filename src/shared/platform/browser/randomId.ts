/** 128 random bits as lower-case hex. Needs no secure context, unlike `crypto.randomUUID`. */
export function randomId(crypto: Crypto): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
