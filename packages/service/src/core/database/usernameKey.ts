/**
 * The key by which usernames and e-mail addresses are compared and counted: trimmed, NFKC-normalised and in lower
 * case. Computed here and not by `lower()` of the database, which depends on its locale ('İ' to 'i').
 */
export function usernameKey(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase();
}
