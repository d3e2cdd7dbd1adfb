import {
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
} from 'oauth4webapi';
import type { OauthSecrets } from '../ports';

/**
 * Makes secrets of 256 random bits each (RFC 7636 §4.1; RFC 9700 §4.7); `null` without WebCrypto, which a page without https
 * lacks.
 */
export async function makeOauthSecrets(): Promise<OauthSecrets | null> {
  const { crypto } = globalThis as { readonly crypto?: Partial<Crypto> };
  if (!crypto?.subtle) return null;
  const verifier = generateRandomCodeVerifier();
  return {
    state: generateRandomState(),
    nonce: generateRandomNonce(),
    verifier,
    challenge: await calculatePKCECodeChallenge(verifier),
  };
}
