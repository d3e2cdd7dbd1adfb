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
