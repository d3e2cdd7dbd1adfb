import {
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
} from 'oauth4webapi';
import type { OauthSecrets } from '../ports';

/**
 * 256 random bits each, from the platform's source (RFC 7636 §4.1; RFC 9700 §4.7). `null`: no WebCrypto, which browsers
 * keep from pages without https.
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
