import { createHash } from 'node:crypto';
import type { Account, Configuration } from 'oidc-provider';
import { readyPassword, type ReadyAccount } from '../accounts.ts';
import type { ProviderName, Registration } from '../registration.ts';

/** A user of a provider. */
export interface Person {
  /** `sub` of their tokens: stable, and reveals nothing about them. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Whether the provider vouches for the e-mail address. */
  readonly emailVerified: boolean;
}

/** All users of the providers have the password of the ready-made accounts. */
export const peoplesPassword = readyPassword;

/** E-mail of the person without an account. */
export const personWithoutAccount = 'without-account@elsewhere.example';

/** E-mail of the person for whose address the provider does not vouch. */
const personWithUnverifiedEmail = 'unverified@payments.example';

/**
 * Who is known at a provider: the people of the ready-made accounts (under their mailbox, without a plus-suffix), and
 * one without an account.
 */
export function peopleOf(provider: ProviderName, accounts: readonly ReadyAccount[]): readonly Person[] {
  const known = accounts.flatMap(({ account }) =>
    account === null
      ? []
      : [{ email: mailboxOf(account.email), name: `${account.firstName} ${account.lastName}` }],
  );
  return [...known, { email: personWithoutAccount, name: 'Otto Fremd' }].map(({ email, name }) => ({
    id: createHash('sha256').update(`${provider}:${email}`).digest('hex').slice(0, 21),
    email,
    name,
    emailVerified: email !== personWithUnverifiedEmail,
  }));
}

/** Finds a person by what they typed. */
export function findByEmail(people: readonly Person[], email: string): Person | undefined {
  const normalised = email.trim().toLowerCase();
  return people.find((person) => person.email.toLowerCase() === normalised);
}

/** Mail to `ada+bills@…` arrives at `ada@…`, which is the address that a provider knows. */
function mailboxOf(email: string): string {
  return email.replace(/\+[^@]*(?=@)/, '');
}

/**
 * The claims of each scope. A Google-type provider vouches for an address with `email_verified`; a Microsoft-type one does
 * not know that claim and sends `xms_edov` (the owner of the address's domain is verified).
 */
export function claimsOf(name: ProviderName): Pick<Configuration, 'scopes' | 'claims'> {
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

/** A person as an account of oidc-provider, with all claims. */
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
