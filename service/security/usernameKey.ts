import { createHash } from 'node:crypto';

/**
 * What usernames are compared by: trimmed, compatibility-normalised (so that full-width and composed forms are one) and
 * in lower case.
 */
export function usernameKey(username: string): string {
  return username.trim().normalize('NFKC').toLowerCase();
}

/** What failed attempts are counted by: of a bounded size, and no list of the usernames that were tried. */
export function attemptSubject(kind: 'password', username: string): string {
  return createHash('sha256')
    .update(`${kind}:${usernameKey(username)}`, 'utf8')
    .digest('hex');
}
