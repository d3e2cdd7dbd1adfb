import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const stepSeconds = 30;
/** One step before and after the present one, for inaccurate clocks and the time to type (RFC 6238 §5.2). */
const acceptedSteps = [0, -1, 1] as const;
/** RFC 4226 §4 recommends 160 bits. */
const secretBytes = 20;

/** A new secret of an authenticator app, base32. */
export function newTotpSecret(): string {
  return toBase32(randomBytes(secretBytes));
}

/**
 * The time step (RFC 6238) of a code, `null` for a wrong code. The caller must record the step, because each is
 * accepted once.
 *
 * @param now milliseconds since 1970.
 */
export function matchingStep(secret: string, code: string, now: number): number | null {
  const present = stepAt(now);
  const entered = Buffer.from(code, 'utf8');
  const matches = acceptedSteps
    .map((offset) => present + offset)
    .filter((step) => {
      const right = Buffer.from(codeOfStep(secret, step), 'utf8');
      return right.length === entered.length && timingSafeEqual(right, entered);
    });
  return matches[0] ?? null;
}

/**
 * The code that an authenticator app shows.
 *
 * @param secret base32.
 * @param now milliseconds since 1970.
 */
export function totpCode(secret: string, now: number): string {
  return codeOfStep(secret, stepAt(now));
}

/** The content of the QR code (Key URI format of Google Authenticator; its defaults are SHA-1, 6 digits, 30 s). */
export function otpauthUrl(productName: string, username: string, secret: string): string {
  const issuer = encodeURIComponent(productName);
  return `otpauth://totp/${issuer}:${encodeURIComponent(username)}?secret=${secret}&issuer=${issuer}`;
}

function stepAt(now: number): number {
  return Math.floor(now / 1000 / stepSeconds);
}

/** HOTP of RFC 4226 §5.3 with the step as the counter. */
function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0x0f;
  const number = (digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000;
  return String(number).padStart(6, '0');
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 (RFC 4648 §6) without padding, as authenticator apps expect it. */
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
 * Decodes base32, also in lower case, with separators and padding, as users copy it.
 *
 * @throws Error for other characters.
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
