import type { JWK } from 'jose';
import type { ColumnType, Selectable } from 'kysely';

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

interface ConfirmationsTable {
  /** Opaque: it is in the address of the page. */
  id: string;
  client_id: string;
  /** As the user saw it. */
  client_name: string;
  uid: string;
  /** The canonical JSON (RFC 8785) of `Details`, to which every proof is bound. */
  details: string;
  return_url: string | null;
  created_at: Date;
  expires_at: Date;
  state: 'open' | 'confirmed' | 'declined' | 'failed' | 'expired';
  decided_at: Date | null;
  /** Wrong codes and refused passkeys. */
  failures: number;
  /** argon2id of the code of the latest text message. */
  code_hash: string | null;
  /** The phone to which it was sent. */
  code_phone: string | null;
  method: 'passkey' | 'text' | null;
  /** What the passkey signed, of a confirmation by passkey. */
  proof: ColumnType<PasskeyProof | null, string | null, string | null>;
  receipt: string | null;
  /** The public key of the receipt, which verifies it after the key has been rotated. */
  receipt_key: ColumnType<JWK | null, string | null, string | null>;
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
  /** When an element that confirmed payments, or an operator, has permitted it; null: it waits. */
  permitted_at: Date | null;
  /** When the mail about it was sent. */
  mailed_at: Date | null;
  /** When the denied event happened, for an element that was added after it. */
  denied_at: Date | null;
  /** The browser made the passkey without verifying the user, so that it must be used once first. */
  needs_use: boolean;
  /** argon2id of the code that permits it, the phone to which it was sent, and the end of its life. */
  code_hash: string | null;
  code_phone: string | null;
  code_expires_at: Date | null;
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    confirmations: ConfirmationsTable;
    /** How passkeys and phones were added: see `elements.ts`. */
    payment_elements: PaymentElementsTable;
  }
}

export type ConfirmationRow = Selectable<ConfirmationsTable>;
