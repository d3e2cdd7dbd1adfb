import type { JWK } from 'jose';
import type { ColumnType, Selectable, Kysely } from 'kysely';
import type { ConfirmationMethod } from '@vestibule/contract/schema';
import type { Tables } from '../core/database/tables.ts';

/** What a passkey signed, so that anybody can check later that it signed this payment. Binary values are base64url. */
export interface PasskeyProof {
  /** The random bytes of the challenge: see `challengeOf`. */
  readonly nonce: string;
  readonly rpId: string;
  readonly credentialId: string;
  /** COSE. */
  readonly publicKey: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
}

/** A proof of identity for one confirmation. */
export interface ProvedIdentity {
  readonly sessionId: string;
  /** Ms since 1970. */
  readonly at: number;
  /** RFC 8176. */
  readonly amr: readonly string[];
}

/** The phone to which the latest code was sent. */
export interface TextedPhone {
  readonly lastFour: string;
  /** When it was added, ms since 1970. */
  readonly enrolledAt: number;
}

type Json<T> = ColumnType<T | null, string | null | undefined, string | null>;

interface ConfirmationsTable {
  /** Opaque: it is in the address of the page. */
  id: string;
  client_id: string;
  /** As the user saw it. */
  client_name: string;
  /** Null after the account was erased. */
  uid: string | null;
  /** Of an erased person, as in the audit log. */
  pseudonym: string | null;
  /** The canonical JSON (RFC 8785) of `Details`, to which every proof is bound. */
  details: string;
  return_url: string | null;
  /** Those that may confirm it; null: any. */
  methods: Json<readonly ConfirmationMethod[]>;
  /** How long ago the identity may have been proved, in seconds; null: any time. */
  max_auth_age: number | null;
  /** The latest proof of identity for this confirmation. */
  identity: Json<ProvedIdentity>;
  created_at: Date;
  expires_at: Date;
  state: 'open' | 'confirmed' | 'declined' | 'failed' | 'expired';
  decided_at: Date | null;
  /** Wrong codes and refused passkeys. */
  failures: number;
  /** argon2id of the code of the latest text message. */
  code_hash: string | null;
  texted: Json<TextedPhone>;
  method: ConfirmationMethod | null;
  /** What the passkey signed, of a confirmation by passkey. */
  proof: Json<PasskeyProof>;
  receipt: string | null;
  /** The signed end of a confirmation that was not confirmed. */
  event: string | null;
  /** The public key of the receipt or the event, which verifies it after the key has been rotated. */
  receipt_key: Json<JWK>;
  /** SHA-256 of the client and its `Idempotency-Key`, hex. */
  request_key: string | null;
  /** SHA-256 of the request, hex. */
  request_hash: string;
}

interface PaymentElementsTable {
  uid: string;
  /** The id of a passkey, or a phone in E.164. */
  element: string;
  added_at: Date;
  /** How the user was verified before: the `method` of an `IdentityProof`. */
  added_by: string;
  /** When an element that confirmed payments, or an operator, permitted it; null: it waits. */
  permitted_at: Date | null;
  /** When the mail about it was sent. */
  mailed_at: Date | null;
  /** When the denied event happened, for an element that was added after it. */
  denied_at: Date | null;
  /** Whether the browser made the passkey without verifying the user, so that it must be used once first. */
  needs_use: boolean;
  /** The argon2id hash of the code that permits it, the phone to which the code was sent, and when it expires. */
  code_hash: string | null;
  code_phone: string | null;
  code_expires_at: Date | null;
}

/** The tables that confirmations add. */
export type PaymentTables = {
  confirmations: ConfirmationsTable;
  /** How passkeys and phones were added: see `elements.ts`. */
  payment_elements: PaymentElementsTable;
  payment_failures: {
    uid: string;
    method: ConfirmationMethod;
    /** In a row, with the attempts that are being checked. */
    failures: number;
    /** Previous blocks in a row. */
    blocks: number;
    blocked_until: Date | null;
    /** The latest attempt. */
    counted_at: Date;
  };
};

export const paymentTables = (db: Kysely<Tables>) => db.withTables<PaymentTables>();

export type ConfirmationRow = Selectable<ConfirmationsTable>;
