import { createHash } from 'node:crypto';

/**
 * What usernames are compared by: trimmed, compatibility-normalised (so that full-width and composed forms are one) and
 * in lower case.
 */
export function usernameKey(username: string): string {
  return username.trim().normalize('NFKC').toLowerCase();
}

/** What attempts are counted by: of a bounded size, and no list of the usernames or addresses that were tried. */
export function attemptSubject(kind: 'password' | 'reset-mail', name: string): string {
  return digestOf(`${kind}:${usernameKey(name)}`);
}

/**
 * What wrong codes are counted by. Per user and not per challenge: who knows the password may open as many challenges
 * as they like. Codes of a set-up count apart, so that a mistyped one does not keep anybody from signing in.
 */
export function codeSubject(kind: 'challenge' | 'setup', uid: string): string {
  return digestOf(`${kind}:${uid}`);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
