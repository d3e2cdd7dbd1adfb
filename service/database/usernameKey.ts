/**
 * What usernames are compared by: trimmed, compatibility-normalised (so that full-width and composed forms are one) and
 * in lower case.
 */
export function usernameKey(username: string): string {
  return username.trim().normalize('NFKC').toLowerCase();
}
