import type { Claims } from '@features/session';
import type { LoginMethod, UserAttributes } from '@shared/api/decoders';

/** The three methods, Microsoft with a usable configuration. */
export const methods = {
  basic: { method: 'basic' },
  google: { method: 'google' },
  microsoft: {
    method: 'microsoft',
    configuration: {
      tenantId: '6b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d',
      clientId: '0a1b2c3d-4e5f-4061-8273-8495a6b7c8d9',
    },
  },
} as const satisfies Record<string, LoginMethod>;

/** Attributes of a user without two-step verification who never changed the password. */
export function userAttributes(changes: Partial<UserAttributes> = {}): UserAttributes {
  return {
    email: 'ada@example.com',
    isTextActive: false,
    isAppActive: false,
    lastReset: null,
    ...changes,
  };
}

/** The claims of Ada, who has a password and one application. */
export function claims(changes: Partial<Claims> = {}): Claims {
  return {
    uid: 'u_1',
    username: 'ada@example.com',
    email: 'ada@example.com',
    firstName: 'Ada',
    method: 'basic',
    isMfaSetup: false,
    personas: [['http://ledger.payments.localhost:4000/']],
    iat: 1_800_000_000,
    exp: 1_800_000_900,
    ...changes,
  };
}
