import type { IDToken } from 'oauth4webapi';
import type { ProviderLogin } from './login';

/**
 * The e-mail address that the provider vouches for, `null` where it vouches for none.
 *
 * Google-type: `email_verified` (OpenID Connect Core §5.1). Microsoft does not know that claim; `xms_edov` says there
 * that the owner of the address's domain is verified. An address without either may have been made up by whoever
 * administers a tenant, and must not open an account.
 */
export function vouchedEmail(method: ProviderLogin['method'], claims: IDToken): string | null {
  const { email } = claims;
  if (typeof email !== 'string' || email === '') return null;
  const vouched = claims['email_verified'] === true || (method === 'microsoft' && isTrue(claims['xms_edov']));
  return vouched ? email : null;
}

/** Microsoft writes this one as `true`, `1`, `"1"` or `"true"`. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}

/**
 * Whether the provider's address is the account's. The account's may have a plus-suffix that the provider's lacks: the
 * login hint is sent without it (specification §4), so that is the mailbox which the person signs in with.
 */
export function isSameMailbox(accountEmail: string, vouched: string): boolean {
  const account = comparable(accountEmail);
  const provider = comparable(vouched);
  return account === provider || account.replace(/^([^+@]+)\+[^@]*@/, '$1@') === provider;
}

/** Case only: two addresses that look alike in another way are two addresses. */
function comparable(email: string): string {
  return email.trim().toLowerCase();
}
