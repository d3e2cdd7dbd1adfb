import { decodeClaims as decodeToken, type Claims as TokenClaims } from '@vestibule/client/claims';

/** What the application uses of a decoded access token. Never the token itself. */
export interface Claims extends Omit<TokenClaims, 'personas'> {
  /** One list of application addresses per persona group, in the token's order. */
  readonly personas: readonly (readonly string[])[];
}

/** Decodes a token without verifying it: the service does that, and this code only decides what to show. */
export function decodeClaims(token: string): Claims | null {
  const claims = decodeToken(token);
  return claims && withoutGroupNames(claims);
}

/** The store and recordings have no use for the names. */
export function withoutGroupNames(claims: TokenClaims): Claims {
  return { ...claims, personas: Object.values(claims.personas) };
}
