import type { IDToken } from 'oauth4webapi';
import type { ProviderLogin } from '../core/provider/login.ts';

/** An identity at a provider, with its verified e-mail address. */
export interface VerifiedProviderIdentity {
  /** `iss` of the ID token; Microsoft's contains the tenant. */
  readonly issuer: string;
  /**
   * `sub`, which a provider never reassigns. Microsoft's differs for each client id (`oid` does not); an account with
   * another `clientId` is bound again anyway.
   */
  readonly subject: string;
  readonly email: string;
}

/**
 * The identity of an ID token; `null` if the provider has not verified the e-mail address.
 *
 * Google-type: `email_verified` (OpenID Connect Core §5.1). Microsoft: `xms_edov`, an optional claim, which states
 * that the owner of the address's domain is verified. Without it, the administrator of any tenant could have invented
 * the address.
 */
export function verifiedProviderIdentity(
  method: ProviderLogin['method'],
  claims: IDToken,
): VerifiedProviderIdentity | null {
  const { iss: issuer, sub: subject, email } = claims;
  if (typeof email !== 'string' || email === '') return null;
  const isVerified =
    claims['email_verified'] === true || (method === 'microsoft' && isTrue(claims['xms_edov']));
  return isVerified ? { issuer, subject, email } : null;
}

/** Microsoft writes this claim as `true`, `1`, `"1"` or `"true"`. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}

/**
 * Whether the provider's address is the account's, or equals it without its plus-suffix: the login hint is sent
 * without that (docs/behaviour.md#authorization-request).
 */
export function isSameMailbox(accountEmail: string, verified: string): boolean {
  return (
    isSameAddress(accountEmail, verified) ||
    isSameAddress(accountEmail.replace(/^([^+@]+)\+[^@]*@/, '$1@'), verified)
  );
}

/** Whether two addresses are equal, ignoring case and surrounding white space. */
export function isSameAddress(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function comparable(email: string): string {
  return email.trim().toLowerCase();
}
