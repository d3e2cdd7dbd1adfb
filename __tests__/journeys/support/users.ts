import { readyPassword } from '@vestibule/local';
import { personWithoutAccount, personWithUnverifiedEmail } from '@vestibule/local';

/** The ready-made accounts of the local environment, named by what is special about them. */
export const users = {
  /** One application: the Ledger. */
  ada: 'ada@payments.example',
  /** Two applications; the password was last changed on 5 March 2026, 14:07 UTC. */
  several: 'several@payments.example',
  /** No application. */
  noApplication: 'no-application@payments.example',
  /** Locked after too many failed attempts. */
  locked: 'locked@payments.example',
  /** Google only. */
  googleOnly: 'google@payments.example',
  /** Microsoft only. */
  microsoftOnly: 'microsoft@payments.example',
  /** Password, Google and Microsoft. */
  allMethods: 'all-methods@payments.example',
  /** Password and Google; the provider knows the address without its plus-suffix. */
  plusSuffix: 'plus+suffix@payments.example',
  /** All methods; the providers do not verify the e-mail. */
  unverified: personWithUnverifiedEmail,
  /** Known at both providers, without an account here. */
  withoutAccount: personWithoutAccount,
  /** Must set up two-step verification first. */
  mustSetUp: 'must-set-up@payments.example',
  /** Two-step verification by text message. */
  textMessage: 'text-message@payments.example',
  /** Two-step verification by authenticator app. */
  authenticator: 'authenticator@payments.example',
  /** Google only; two-step verification by authenticator app. */
  googleAuthenticator: 'google-authenticator@payments.example',
  /** Microsoft only; two-step verification by text message to a British phone. */
  microsoftTextMessage: 'microsoft-text-message@payments.example',
  /** Google only; must set up two-step verification first. */
  googleMustSetUp: 'google-must-set-up@payments.example',
  /** No such account. */
  unknown: 'unknown@payments.example',
} as const;

/** Password of all of them. */
export const password = readyPassword;

/** The calls of the sign-in, as the journal names them. */
export const tokenCall = 'POST /auth/v1/token';
export const refreshCall = 'POST /auth/v1/refresh';
export const methodCall = (username: string): string => `GET /auth/v1/method/${encodeURIComponent(username)}`;
