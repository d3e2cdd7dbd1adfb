import type { accountSchema } from '../../../local/control/accountSchema';
import type { InferInput } from 'valibot';
import { password } from './people';

/** An account as the world's control surface takes it. */
export type WorldAccount = InferInput<typeof accountSchema>;

/** An account with a password and nothing else, but for what the test is about. */
export function accountOf(username: string, special: Partial<WorldAccount>): WorldAccount {
  return {
    username,
    email: username,
    firstName: 'Wim',
    lastName: 'Andersen',
    password,
    methods: [{ method: 'basic' }],
    personas: {},
    mfa: null,
    mustSetUpMfa: false,
    lastReset: null,
    ...special,
  };
}
