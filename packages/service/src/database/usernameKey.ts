/**
 * What usernames and e-mail addresses are compared and counted by: trimmed, compatibility-normalised (so that full-width and composed
 * forms are one) and in lower case. Never by `lower()` of the database, which folds otherwise, by its locale: 'İ' to 'i'.
 */
export function usernameKey(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase();
}
