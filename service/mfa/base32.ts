const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 §6, without padding: what authenticator apps take. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let pending = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet.charAt((pending >>> bits) & 31);
    }
    pending &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet.charAt((pending << (5 - bits)) & 31);
}

/**
 * Reads base32, also in small letters, in groups and padded, as people copy it.
 *
 * @throws Error when it is none.
 */
export function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let pending = 0;
  for (const letter of text.replace(/[\s-]|=+$/g, '').toUpperCase()) {
    const value = alphabet.indexOf(letter);
    if (value === -1) throw new Error('The key of an authenticator app is not base32.');
    pending = (pending << 5) | value;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((pending >>> bits) & 255);
    pending &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}
