import { readyPassword } from '@vestibule/local';

/** The ready-made accounts of the local environment, named by what is special about them. */
export const users = {
  /** One application: the Ledger. */
  ada: 'ada@payments.example',
  /** Two applications; the password was last changed on 5 March 2026, 14:07 UTC. */
  several: 'several@payments.example',
  /** Google only. */
  googleOnly: 'google@payments.example',
  /** Microsoft only. */
  microsoftOnly: 'microsoft@payments.example',
  /** Password, Google and Microsoft. */
  allMethods: 'all-methods@payments.example',
  /** Must set up two-step verification first. */
  mustSetUp: 'must-set-up@payments.example',
  /** Two-step verification by text message. */
  textMessage: 'text-message@payments.example',
  /** Two-step verification by authenticator app. */
  authenticator: 'authenticator@payments.example',
} as const;

/** Password of all of them. */
export const password = readyPassword;

/** The calls of the sign-in, as the journal names them. */
export const tokenCall = 'POST /auth/v1/token';
export const refreshCall = 'POST /auth/v1/refresh';
export const methodCall = (username: string): string => `GET /auth/v1/method/${encodeURIComponent(username)}`;
