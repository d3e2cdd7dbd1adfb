import { selectClaims } from '../session.slice';

/** The username under which password managers keep the password of this user. It may differ from the e-mail. */
export function selectSignInName(state: Parameters<typeof selectClaims>[0]): string {
  const claims = selectClaims(state);
  if (!claims) return '';
  return claims.username === '' ? claims.email : claims.username;
}
