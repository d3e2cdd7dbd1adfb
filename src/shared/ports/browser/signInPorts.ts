import {
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
} from 'oauth4webapi';
import type { OauthSecrets } from '../ports';

/* The ports that only a sign-in uses. They are in the chunk that the first key loads. */

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

/** A contract with the host that serves the page (docs/behaviour.md#blocked-cookies). */
const expiryPath = '/expire-session-cookies';
/** The longest wait for a host that does not respond, ms. */
const expiryTimeoutMs = 5_000;

/**
 * Asks the host that serves the page to expire the session cookies. Never rejects. Write the cookies again to see whether it
 * helped.
 */
export async function expireSessionCookies(
  browser: Pick<Window & typeof globalThis, 'fetch' | 'AbortSignal'>,
): Promise<void> {
  const signal = browser.AbortSignal.timeout(expiryTimeoutMs);
  await browser.fetch(expiryPath, { method: 'POST', signal }).then(ignore, ignore);
}

function ignore(): void {
  // A host without this path, or one that cannot be reached, leaves the cookies as they are.
}

/** The request of WebOTP, which the types of TypeScript lack. */
interface CodeRequest {
  readonly otp: { readonly transport: readonly ['sms'] };
  readonly signal: AbortSignal;
}
interface CodeReader {
  readonly get: (request: CodeRequest) => Promise<{ readonly code?: string | null } | null>;
}

/** Implements `Ports.fillTextedCode` with WebOTP. The browser asks the user before a page gets the code. */
export async function fillTextedCode(
  browser: Pick<Window, 'document' | 'navigator'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (!('OTPCredential' in browser)) return false;
  const { credentials } = browser.navigator as unknown as { readonly credentials: CodeReader };
  // `get` rejects if the user or the policy of the frame refuses, or if the screen is left.
  const response = await credentials.get({ otp: { transport: ['sms'] }, signal }).catch(() => null);
  const code = response?.code;
  const field = browser.document.querySelector<HTMLInputElement>('input[autocomplete="one-time-code"]');
  if (typeof code !== 'string' || signal.aborted || !field) return false;
  field.value = code;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  return true;
}
