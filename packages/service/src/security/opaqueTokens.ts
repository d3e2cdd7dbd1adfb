import { createHash, createHmac, randomBytes } from 'node:crypto';

/** A token of 256 random bits, base64url (43 characters). */
export function newOpaqueToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * What is stored instead of a token: SHA-256, hex. A slow hash is of no use here, because the token is not guessable.
 */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

/**
 * The one successor of a refresh token: HMAC-SHA-256 under its session's own key. A caller that presents the token again
 * within the grace window is given the same successor, although only hashes are stored; who has only the database
 * (hashes and keys, but no token) cannot derive it.
 */
export function successorOf(token: string, rotationKey: string): string {
  return createHmac('sha256', Buffer.from(rotationKey, 'base64url'))
    .update(token, 'utf8')
    .digest('base64url');
}
