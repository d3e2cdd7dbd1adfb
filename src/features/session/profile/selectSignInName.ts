import { selectClaims } from '../session.slice';

/**
 * The name by which password managers keep this user's password, on every screen; not always the e-mail. In a separate file,
 * because `/login` does not need it.
 */
export function selectSignInName(state: Parameters<typeof selectClaims>[0]): string {
  const claims = selectClaims(state);
  if (!claims) return '';
  return claims.username === '' ? claims.email : claims.username;
}
