import { createHash } from 'node:crypto';
import { readyPassword, type ReadyAccount } from '../accounts';
import type { ProviderName } from './registration';

/** A user of a provider. */
export interface Person {
  /** `sub` of their tokens: stable, and it says nothing about them. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Whether the provider vouches for the e-mail address. */
  readonly emailVerified: boolean;
}

/** All users of the providers have the password of the ready-made accounts. */
export const peoplesPassword = readyPassword;

/** E-mail of the person without an account. */
export const personWithoutAccount = 'otto@elsewhere.example';

/** E-mail of the person for whose address the provider does not vouch. */
export const personWithUnverifiedEmail = 'una@payments.example';

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
  const wanted = email.trim().toLowerCase();
  return people.find((person) => person.email.toLowerCase() === wanted);
}

/** Mail to `ada+bills@…` arrives at `ada@…`, which is the address that a provider knows. */
function mailboxOf(email: string): string {
  return email.replace(/\+[^@]*(?=@)/, '');
}
