import { decodeClaims as decodeToken, type Claims as TokenClaims } from '@vestibule/client/claims';

/** The claims of an access token that the application uses. */
export interface Claims extends Omit<TokenClaims, 'personas'> {
  /** One list of application addresses per persona group, in the token's order. */
  readonly personas: readonly (readonly string[])[];
}

/** Decodes a token without verifying it, because the page only decides what to show. */
export function decodeClaims(token: string): Claims | null {
  const claims = decodeToken(token);
  return claims && withoutGroupNames(claims);
}

/** Removes the names of the persona groups, which the store does not need. */
export function withoutGroupNames(claims: TokenClaims): Claims {
  return { ...claims, personas: Object.values(claims.personas) };
}
