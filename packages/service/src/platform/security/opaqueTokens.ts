import { hash, createHmac, randomBytes } from 'node:crypto';

/** A token of 256 random bits, base64url (43 characters). */
export function newOpaqueToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * An id of 96 random bits, base64url (16 characters): short, because it is in tokens that cookies hold. Not a secret. It does not
 * begin with a hyphen, because commands take ids.
 */
export function newShortId(): string {
  const id = randomBytes(12).toString('base64url');
  return id.startsWith('-') ? newShortId() : id;
}

/** The stored form of a token: SHA-256, hex. A slow hash is unnecessary, because a token cannot be guessed. */
export function hashOfToken(token: string): string {
  return hash('sha256', token);
}

/**
 * The only successor of a refresh token: HMAC-SHA-256 with the key of its session. A caller that sends the token
 * again within the grace period gets the same successor, although only hashes are stored. The database alone (hashes
 * and keys, no tokens) is not enough to derive it.
 */
export function successorOf(token: string, rotationKey: string): string {
  return createHmac('sha256', Buffer.from(rotationKey, 'base64url'))
    .update(token, 'utf8')
    .digest('base64url');
}
