import { isDeepStrictEqual } from 'node:util';
import { importJWK, compactVerify, type JWK } from 'jose';
import type { ErasedPerson, InTransaction } from '../core/context.ts';
import type { PaymentContext } from './settings.ts';
import { paymentTables } from './tables.ts';
import { challengeOf, clientDataTypes, isAsShown, type Details } from './details.ts';
import { endConfirmation, endExpired, eventType, receiptType } from './ends.ts';
import type { PasskeyProof } from './tables.ts';

/** All that is kept of a confirmation that has ended, for `vestibule confirmations`. Everything in it is signed. */
export interface Evidence {
  readonly id: string;
  /** As the user saw it. */
  readonly application: string;
  readonly state: string;
  readonly decidedAt: Date;
  /** The canonical JSON of `Details`. */
  readonly details: string;
  /** Of a confirmed payment. */
  readonly receipt: string | null;
  /** The signed end, of any other. */
  readonly event: string | null;
  /** The key of either. */
  readonly receiptKey: JWK | null;
  readonly proof: PasskeyProof | null;
}

/** The evidence of a person, or of all, oldest first. @param owner the uid of an account, or the pseudonym of an erased person. */
export async function listEvidence(
  context: PaymentContext,
  owner: Partial<Pick<ErasedPerson, 'uid' | 'pseudonym'>>,
): Promise<readonly Evidence[]> {
  await endExpired(context);
  let query = paymentTables(context.db)
    .selectFrom('confirmations')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id');
  if (owner.uid !== undefined) query = query.where('uid', '=', owner.uid);
  if (owner.pseudonym !== undefined) query = query.where('pseudonym', '=', owner.pseudonym);
  return (await query.execute()).flatMap((row) =>
    row.decided_at === null
      ? []
      : {
          id: row.id,
          application: row.client_name,
          state: row.state,
          decidedAt: row.decided_at,
          details: row.details,
          receipt: row.receipt,
          event: row.event,
          receiptKey: row.receipt_key,
          proof: row.proof,
        },
  );
}

/**
 * Ends the open confirmations of a person who is erased, and keeps all of them under the pseudonym. What is signed stays unchanged, with a
 * uid that no account has any more. `withEvidence`: they are removed with the account instead.
 */
export async function separateEvidence(
  context: InTransaction<PaymentContext>,
  { uid, pseudonym, withEvidence }: ErasedPerson,
): Promise<{ readonly confirmations: number }> {
  const { db, settings } = context;
  const rows = await paymentTables(db)
    .selectFrom('confirmations')
    .selectAll()
    .where('uid', '=', uid)
    .execute();
  for (const row of rows)
    if (row.state === 'open')
      await endConfirmation(
        context,
        { ...row, uid: null, pseudonym },
        { state: 'failed', at: new Date(settings.now()), onlyIf: (is) => is('uid', '=', uid) },
      );
  if (!withEvidence)
    await paymentTables(db)
      .updateTable('confirmations')
      .set({ uid: null, pseudonym, texted: null, identity: null })
      .where('uid', '=', uid)
      .execute();
  return { confirmations: rows.length };
}

/**
 * Verifies evidence, without a network or a database: the receipt or the event by its key, that it says what the evidence shows, and
 * the signature of the passkey over exactly the payment.
 *
 * @returns what is wrong; `null` for valid evidence.
 */
export async function faultOf({
  application = '',
  details = '',
  receiptKey,
  proof,
  ...evidence
}: Partial<Evidence>): Promise<string | null> {
  const isConfirmed = evidence.state === 'confirmed';
  const { receipt, event } = evidence;
  const [jws, other] = isConfirmed ? [receipt, event] : [event, receipt];
  if (!jws || !receiptKey) return 'it is not signed';
  const claims = await claimsOf(jws, isConfirmed ? receiptType : eventType, receiptKey);
  if (claims === null) return 'the signature of the receipt is wrong';
  if (other) return 'it shows two ends';
  const seen = detailsIn(details);
  if (seen === null) return 'the details cannot be read';
  const { id, client, uid, ...payment } = seen;
  const { jti, aud, sub, amount, payee, reference, method, iat, state = 'confirmed' } = claims;
  const signed = { jti, aud, sub, amount, payee, ...(reference === undefined ? {} : { reference }) };
  if (!isDeepStrictEqual(signed, { jti: id, aud: client, sub: uid, ...payment }))
    return 'the receipt is of another payment';
  const shown = [evidence.id, application, evidence.state, new Date(evidence.decidedAt ?? NaN).getTime()];
  if (!isDeepStrictEqual(shown, [jti, claims['application'], state, Number(iat) * 1000]))
    return 'the receipt shows another application, state or time';
  if (method !== 'passkey') return proof ? 'no passkey has confirmed it' : null;
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

async function claimsOf(
  jws: string,
  type: string,
  key: JWK,
): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const { payload, protectedHeader } = await compactVerify(jws, await importJWK(key, 'ES256'), {
      algorithms: ['ES256'],
    });
    if (protectedHeader.typ !== type) return null;
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
