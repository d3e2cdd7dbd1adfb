import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { issuer } from '../support/testService.ts';

/** A key of a client. */
export interface Key {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function newKey(alg: 'ES256' | 'PS256' = 'ES256'): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: 'own', alg, use: 'sig' } };
}

/** A proof of possession (RFC 9449) of an ES256 key. @param token the access token that comes with it. */
export async function proof(
  { privateKey, jwk }: Key,
  method: string,
  path: string,
  token?: string,
): Promise<string> {
  const { kty, crv, x, y } = jwk;
  const ath = token === undefined ? {} : { ath: createHash('sha256').update(token).digest('base64url') };
  return new SignJWT({ htm: method, htu: issuer + path, jti: randomUUID(), ...ath })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: { kty, crv, x, y } as JWK })
    .setIssuedAt()
    .sign(privateKey);
}

/** The claims of a client assertion (RFC 7523) of one minute, with changes; `undefined` leaves a claim out. */
export function assertionClaims(id: string, changes: object = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: id, sub: id, aud: issuer, jti: randomUUID(), nbf: now, iat: now, exp: now + 60 };
  return { ...claims, ...changes };
}

export const sign = ({ privateKey, jwk }: Key, claims: Record<string, unknown>): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: jwk.alg ?? '', kid: 'own' }).sign(privateKey);

/** The parameters that authenticate a client by an assertion. */
export const authenticatedBy = (assertion: string) => ({
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: assertion,
});
