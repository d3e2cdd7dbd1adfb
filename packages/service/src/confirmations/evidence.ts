import { isDeepStrictEqual } from 'node:util';
import { importJWK, compactVerify, type JWK } from 'jose';
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.ts';
import { endExpired } from './confirmations.ts';
import { challengeOf, clientDataTypes, isAsShown, type Details } from './details.ts';
import type { PasskeyProof } from './tables.ts';

/** All that is kept of a confirmation, for `vestibule confirmations`. */
export interface Evidence {
  readonly id: string;
  readonly application: string;
  readonly state: string;
  readonly createdAt: Date;
  readonly decidedAt: Date | null;
  /** The canonical JSON of `Details`. */
  readonly details: string;
  readonly receipt: string | null;
  readonly receiptKey: JWK | null;
  readonly proof: PasskeyProof | null;
}

/** The confirmations of an account, or of all, oldest first. @param now ms since 1970. */
export async function listEvidence(
  db: Kysely<Tables>,
  uid: string | null,
  now: number,
): Promise<readonly Evidence[]> {
  await endExpired(db, now);
  let query = db.selectFrom('confirmations').selectAll().orderBy('created_at');
  if (uid !== null) query = query.where('uid', '=', uid);
  return (await query.execute()).map((row) => ({
    id: row.id,
    application: row.client_name,
    state: row.state,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
    details: row.details,
    receipt: row.receipt,
    receiptKey: row.receipt_key,
    proof: row.proof,
  }));
}

/**
 * Verifies the evidence of a confirmed payment, without a network or a database: the receipt by its key, that it says what the user
 * saw, and the signature of the passkey over exactly that.
 *
 * @returns what is wrong; `null` for valid evidence.
 */
export async function faultOf({
  application = '',
  details = '',
  receipt,
  receiptKey,
  proof,
}: Partial<Evidence>): Promise<string | null> {
  if (!receipt || !receiptKey) return 'the payment was not confirmed';
  const claims = await claimsOf(receipt, receiptKey);
  if (claims === null) return 'the signature of the receipt is wrong';
  const seen = detailsIn(details);
  if (seen === null) return 'the details cannot be read';
  const { id, client, uid, ...payment } = seen;
  const { jti, aud, sub, method, iss: _issuer, iat: _time, ...confirmed } = claims;
  const isSame =
    jti === id && aud === client && sub === uid && isDeepStrictEqual({ ...confirmed }, { ...payment });
  if (!isSame) return 'the receipt is of another payment';
  if (method !== 'passkey') return null;
  if (!proof) return 'the signature of the passkey is missing';
  if (!(await isSigned(proof, challengeOf(details, proof.nonce))))
    return 'the signature of the passkey is wrong';
  return isAsShown(proof.clientDataJSON, payment, application, proof.rpId)
    ? null
    : "the browser's window showed another payment";
}

function detailsIn(details: string): Details | null {
  try {
    return JSON.parse(details) as Details | null;
  } catch {
    return null;
  }
}

async function claimsOf(receipt: string, key: JWK): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const { payload } = await compactVerify(receipt, await importJWK(key, 'ES256'), {
      algorithms: ['ES256'],
    });
    return JSON.parse(Buffer.from(payload).toString('utf8')) as Readonly<Record<string, unknown>>;
  } catch {
    return null;
  }
}

async function isSigned(
  { rpId, credentialId: id, publicKey, clientDataJSON, authenticatorData, signature }: PasskeyProof,
  challenge: string,
): Promise<boolean> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    // The service has compared both with its settings, which may be others today.
    const { origin, topOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as {
      readonly origin: string;
      readonly topOrigin?: string;
    };
    const { verified } = await verifyAuthenticationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      expectedType: clientDataTypes,
      ...(topOrigin === undefined ? {} : { expectedTopOrigin: topOrigin }),
      requireUserVerification: true,
      credential: { id, publicKey: Buffer.from(publicKey, 'base64url'), counter: 0 },
    });
    return verified;
  } catch {
    return false;
  }
}
