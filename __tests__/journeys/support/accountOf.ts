import type { accountSchema } from '@vestibule/local';
import type { InferInput } from 'valibot';
import { password } from './users';

/** An account in the form of the control API. */
export type EnvironmentAccount = InferInput<typeof accountSchema>;

/** Several applications lead to the account settings, and a session without any ends (docs/behaviour.md#token-response). */
const severalApplications = {
  ledger: [{ applicationUrl: 'https://ledger.payments.example/' }],
  hub: [{ applicationUrl: 'https://hub.payments.example/' }],
};

/** An account with a password and two applications, and otherwise only what the test is about. */
export function accountOf(username: string, special: Partial<EnvironmentAccount>): EnvironmentAccount {
  return {
    username,
    email: username,
    firstName: 'Wim',
    lastName: 'Andersen',
    password,
    methods: [{ method: 'basic' }],
    personas: severalApplications,
    mfa: null,
    mustSetUpMfa: false,
    lastReset: null,
    ...special,
  };
}
