// @ts-check
// How a sibling application of the family learns who is signed in: it reads the shared cookie and checks the
// token's signature and expiry. Teams may copy this file.

/**
 * @typedef {{ token: string, refresh: string }} Session
 * @typedef {{ uid: string, username: string, email: string, firstName: string, exp: number, iat: number,
 *   personas: Record<string, { applicationUrl: string }[]> }} Claims
 */

/** The session in the shared cookie, or `null`: none, unreadable, or two that contradict each other. */
export function readSession(/** @type {string} */ prefix) {
  const name = `${prefix}-session=`;
  const found = document.cookie.split('; ').filter((pair) => pair.startsWith(name));
  const values = new Set(found.map((pair) => pair.slice(name.length)));
  const [only] = values;
  // A sibling host may have set a cookie of the same name: the page cannot know which of the two is meant.
  if (values.size !== 1 || only === undefined) return null;
  try {
    const { authenticated } = JSON.parse(decodeURIComponent(only));
    return typeof authenticated.token === 'string' ? /** @type {Session} */ (authenticated) : null;
  } catch {
    return null;
  }
}

/**
 * The claims of a token whose signature holds and which has not expired.
 *
 * @param {string} token
 * @returns {Promise<Claims>}
 * @throws {Error} saying what is wrong with the token.
 */
export async function verifiedClaims(token) {
  const [head = '', body = '', signature = ''] = token.split('.');
  const { kid, alg, typ } = readPart(head);
  // Set-up and trusted-device tokens are signed with the same keys and are no sessions.
  if (typ !== 'at+jwt') throw new Error('The token is not one of a session.');
  const answer = await fetch('/jwks.json');
  if (!answer.ok) throw new Error('The sign-on service gave no keys.');
  const { keys } = await answer.json();
  const jwk = keys.find((/** @type {{ kid?: string }} */ key) => key.kid === kid);
  if (jwk === undefined) throw new Error('The token was signed with an unknown key.');
  const algorithm =
    alg === 'EdDSA' ? { name: 'Ed25519' } : { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(`${head}.${body}`);
  if (!(await crypto.subtle.verify(algorithm, key, bytesOf(signature), signed))) {
    throw new Error('The signature of the token does not hold.');
  }
  const claims = readPart(body);
  if (claims.exp * 1000 <= Date.now()) throw new Error('The token has expired.');
  return claims;
}

/** Removes the shared session, which signs out the whole family; trust and remembered username stay. */
export function signOut(/** @type {string} */ prefix, /** @type {string} */ domain) {
  for (const name of [`${prefix}-session`, `${prefix}-session-refresh`]) {
    document.cookie = `${name}=; Path=/; Max-Age=0`;
    document.cookie = `${name}=; Path=/; Domain=${domain}; Max-Age=0`;
  }
}

function readPart(/** @type {string} */ part) {
  return JSON.parse(new TextDecoder().decode(bytesOf(part)));
}

function bytesOf(/** @type {string} */ base64url) {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
