import { readyPassword } from '../../../local/accounts';
import { personWithoutAccount, personWithUnverifiedEmail } from '../../../local/providers/people';

/** The ready-made accounts of the local world, by what is special about them. */
export const people = {
  /** One application: the Ledger. */
  ada: 'ada@payments.example',
  /** Two applications; the password was last changed on 5 March 2026, 14:07 UTC. */
  sam: 'sam@payments.example',
  /** No application at all. */
  nora: 'nora@payments.example',
  /** Locked after too many failed attempts. */
  lou: 'lou@payments.example',
  /** Google only. */
  gina: 'gina@payments.example',
  /** Microsoft only. */
  mick: 'mick@payments.example',
  /** Password, Google and Microsoft. */
  alma: 'alma@payments.example',
  /** Password and Google; the provider knows the address without its plus-suffix. */
  petra: 'petra+invoices@payments.example',
  /** All methods; the providers do not vouch for the address. */
  una: personWithUnverifiedEmail,
  /** Known at both providers, without an account here. */
  otto: personWithoutAccount,
  /** Has to set up two-step verification first. */
  suki: 'suki@payments.example',
  /** Two-step verification by text message. */
  tess: 'tess@payments.example',
  /** Two-step verification by authenticator app. */
  theo: 'theo@payments.example',
  /** Google only; two-step verification by authenticator app. */
  greta: 'greta@payments.example',
  /** Microsoft only; two-step verification by text message to a British phone. */
  milo: 'milo@payments.example',
  /** Google only; has to set up two-step verification first. */
  gwen: 'gwen@payments.example',
  /** No such account. */
  nobody: 'nobody@payments.example',
} as const;

/** Everybody's password. */
export const password = readyPassword;

/** The calls of the sign-in, as the journal names them. */
export const tokenCall = 'POST /auth/v1/token';
export const refreshCall = 'POST /auth/v1/refresh';
export const methodCall = (username: string): string => `GET /auth/v1/method/${encodeURIComponent(username)}`;
