import type { Account } from 'oidc-provider';
import type { Person } from './people';
import type { ProviderName, Registration } from './registration';

/**
 * What each scope tells. A Google-type provider vouches for an address with `email_verified`; a Microsoft-type one does
 * not know that claim and says `xms_edov` (the owner of the address's domain is verified).
 */
export function claimsOf(name: ProviderName): object {
  return name === 'google'
    ? {
        scopes: ['openid', 'offline_access', 'profile', 'email'],
        claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
      }
    : {
        scopes: ['openid', 'offline_access', 'profile', 'email', 'user.read'],
        claims: {
          openid: ['sub', 'tid'],
          profile: ['name', 'preferred_username'],
          email: ['email', 'xms_edov'],
        },
      };
}

/** A person as oidc-provider asks for them, with all that may be told. */
export function accountOf(
  name: ProviderName,
  { issuer }: Registration,
  people: readonly Person[],
  id: string,
): Account | undefined {
  const person = people.find((one) => one.id === id);
  if (person === undefined) return undefined;
  const { email } = person;
  const claims =
    name === 'google'
      ? { email_verified: person.emailVerified }
      : {
          xms_edov: person.emailVerified,
          preferred_username: email,
          tid: new URL(issuer).pathname.split('/')[1],
        };
  return { accountId: id, claims: () => ({ sub: id, name: person.name, email, ...claims }) };
}
