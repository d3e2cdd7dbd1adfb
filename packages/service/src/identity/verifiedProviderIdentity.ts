import type { IDToken } from 'oauth4webapi';
import type { ProviderLogin } from '../provider/login.ts';

/** A person at a provider, and the e-mail address that it vouches for. */
export interface VerifiedProviderIdentity {
  /** `iss` of the ID token; at Microsoft it holds the tenant. */
  readonly issuer: string;
  /**
   * `sub`, which no provider gives to a second person. Microsoft's is another one for each application (`oid` is not); an
   * account that names another `clientId` is bound again anyway.
   */
  readonly subject: string;
  readonly email: string;
}

/**
 * The identity of an ID token, `null` where the provider vouches for no e-mail address.
 *
 * Google-type: `email_verified` (OpenID Connect Core §5.1). Microsoft does not know that claim; `xms_edov` says there
 * that the owner of the address's domain is verified. An address without either may have been made up by the
 * administrator of a tenant, and must not open an account.
 */
export function verifiedProviderIdentity(
  method: ProviderLogin['method'],
  claims: IDToken,
): VerifiedProviderIdentity | null {
  const { iss: issuer, sub: subject, email } = claims;
  if (typeof email !== 'string' || email === '') return null;
  const vouched = claims['email_verified'] === true || (method === 'microsoft' && isTrue(claims['xms_edov']));
  return vouched ? { issuer, subject, email } : null;
}

/** Microsoft writes this one as `true`, `1`, `"1"` or `"true"`. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}

/**
 * Whether the provider's address is the account's. The account's may have a plus-suffix that the provider's lacks: the
 * login hint is sent without it (docs/behaviour.md#login-hint), so that is the mailbox of the sign-in.
 */
export function isSameMailbox(accountEmail: string, vouched: string): boolean {
  return (
    isSameAddress(accountEmail, vouched) ||
    isSameAddress(accountEmail.replace(/^([^+@]+)\+[^@]*@/, '$1@'), vouched)
  );
}

/** Whether they are one address. Case only: two that look alike in another way are two. */
export function isSameAddress(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function comparable(email: string): string {
  return email.trim().toLowerCase();
}
