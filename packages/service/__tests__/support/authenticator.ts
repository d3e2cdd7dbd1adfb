const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * The code that an authenticator app shows (RFC 6238: SHA-1, 6 digits, 30 s). Implemented separately from the service, with
 * another cryptographic API, so that the two can disagree.
 *
 * @param secret base32.
 * @param at milliseconds since 1970.
 */
export async function appCode(secret: string, at: number): Promise<string> {
  const bits = Array.from(secret, (letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const algorithm = { name: 'HMAC', hash: 'SHA-1' };
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(bytes), algorithm, false, ['sign']);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(at / 30_000)));
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer));
  const start = mac.getUint8(19) % 16;
  return String((mac.getUint32(start) % 2 ** 31) % 1_000_000).padStart(6, '0');
}

/** Six digits that are not this code. */
export function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

/** Six digits that no app with this secret shows from a minute before `at` to a minute after. */
export async function wrongAppCode(secret: string, at: number): Promise<string> {
  const right = await Promise.all(
    [-60_000, -30_000, 0, 30_000, 60_000].map((shift) => appCode(secret, at + shift)),
  );
  const wrong = ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (code) => !right.includes(code),
  );
  if (wrong === undefined) throw new Error('Five codes cannot be six.');
  return wrong;
}
