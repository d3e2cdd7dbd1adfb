import { generateKeyPairSync } from 'node:crypto';
import type { NewPasskey, PasskeyAssertion } from '@vestibule/contract/schema';
import type { PasskeyOptions } from './settings.ts';
import type { PasskeyRow } from './tables.ts';

/** COSE algorithms (RFC 9053, RFC 8812): ES256, EdDSA, RS256. */
export const algorithms = [-7, -8, -257];

/** The state of an authenticator that has proved that it holds a key. */
export type KeyState = Readonly<Pick<PasskeyRow, 'is_syncable' | 'is_synced'>> & { readonly counter: number };

/**
 * Verifies the response of an authenticator to `navigator.credentials.get`, except for its counter, which `useKey` compares.
 *
 * @param types the accepted types of the client data.
 * @returns `null` if it is not valid for the challenge, the relying party, its origins and this key.
 */
export async function verifyAssertion(
  { rpId, origins, parentOrigins }: PasskeyOptions,
  challenge: string,
  { id, rawId, type, response }: PasskeyAssertion,
  publicKey: string,
  types: readonly string[] = ['webauthn.get'],
): Promise<KeyState | null> {
  // Loaded when it is first needed: it takes a quarter of a second and 25 MB.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { userHandle: _compared, ...signed } = response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId, type, clientExtensionResults: {}, response: signed },
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      expectedTopOrigin: [...parentOrigins],
      expectedType: [...types],
      requireUserVerification: true,
      credential: { id, publicKey: bytesOf(publicKey), counter: 0 },
    });
    if (!verified) return null;
    return {
      counter: authenticationInfo.newCounter,
      is_syncable: authenticationInfo.credentialDeviceType === 'multiDevice',
      is_synced: authenticationInfo.credentialBackedUp,
    };
  } catch {
    // The library throws for each part that is malformed or not as expected.
    return null;
  }
}

/** A new key, as its row needs it. */
type NewKey = KeyState & Readonly<Pick<PasskeyRow, 'credential_id' | 'public_key' | 'transports'>>;

/**
 * Verifies the response of an authenticator to `navigator.credentials.create`.
 *
 * @param isAutomatic browsers create it without the presence of the user; the password proved it.
 * @returns `null` if it is not valid for the challenge, the relying party and its origins.
 */
export async function verifyCreation(
  { rpId, origins, parentOrigins }: PasskeyOptions,
  challenge: string,
  { id, rawId, type, response }: NewPasskey,
  isAutomatic: boolean,
): Promise<NewKey | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const { clientDataJSON, attestationObject, transports = [] } = response;
  try {
    const { topOrigin } = JSON.parse(bytesOf(clientDataJSON).toString('utf8')) as { topOrigin?: string };
    if (topOrigin !== undefined && !parentOrigins.includes(topOrigin)) return null;
    // Without attestation browsers send 'none', or the authenticator's own signature ('packed'). Other formats need certificates.
    const format = decodeAttestationObject(bytesOf(attestationObject)).get('fmt');
    if (format !== 'none' && format !== 'packed') return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserPresence: !isAutomatic,
      requireUserVerification: !isAutomatic,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified || registrationInfo.credential.id !== id) return null;
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
    return {
      credential_id: id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      transports: transports.join(),
      counter: credential.counter,
      is_syncable: credentialDeviceType === 'multiDevice',
      is_synced: credentialBackedUp,
    };
  } catch {
    return null;
  }
}

let decoyKey: string | undefined;

/** A public key whose private key no one has: verifying against it takes as long as against a real one. */
export async function keyOfDecoys(): Promise<string> {
  if (decoyKey !== undefined) return decoyKey;
  const { isoCBOR } = await import('@simplewebauthn/server/helpers');
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  });
  const cose = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytesOf(x)],
    [-3, bytesOf(y)],
  ]);
  decoyKey = Buffer.from(isoCBOR.encode(cose)).toString('base64url');
  return decoyKey;
}

function bytesOf(base64url: string): Buffer<ArrayBuffer> {
  return Buffer.from(base64url, 'base64url');
}
