import type { Capability } from '../capability.ts';
import { userAttributes } from './userAttributes.ts';

declare module '../core/audit/audit.ts' {
  interface AuditEvents {
    'account-written': EventKinds;
    'account-changed': EventKinds;
    'account-imported': EventKinds;
    'accounts-exported': EventKinds;
    'account-erased': EventKinds;
    'account-locked': EventKinds;
    'account-unlocked': EventKinds;
    'account-disabled': EventKinds;
    'account-enabled': EventKinds;
    'new-password-required': EventKinds;
    'identity-bound': EventKinds;
    'signing-key-rotated': EventKinds;
    'signing-key-revoked': EventKinds;
    'secrets-resealed': EventKinds;
    'client-added': EventKinds;
    'client-secret-rotated': EventKinds;
    'client-removed': EventKinds;
  }
}

/** Accounts, and what administrators do with them and with the service. */
export const accounts: Capability = {
  name: 'accounts',
  operations: {
    getUser: (context, { params, bearer }) => userAttributes(context, bearer, params.uid),
  },
  auditEvents: {
    'account-written': {},
    'account-changed': {},
    'account-imported': {},
    'accounts-exported': {},
    'account-erased': {},
    'account-locked': { activity: 'locked', notice: 'locked' },
    'account-unlocked': {},
    'account-disabled': { activity: 'locked' },
    'account-enabled': {},
    'new-password-required': {},
    'identity-bound': {},
    'signing-key-rotated': {},
    'signing-key-revoked': {},
    'secrets-resealed': {},
    'client-added': { isOfClient: true },
    'client-secret-rotated': { isOfClient: true },
    'client-removed': { isOfClient: true },
  },
  // The user's own row needs no table here, because the version of an account contains it.
  accountChanges: [{ what: 'profile', tables: [] }],
  endAccess: async ({ db }, uid) => {
    // This invalidates setup tokens and sign-ins in progress.
    await db
      .updateTable('users')
      .set((eb) => ({ identities_version: eb('identities_version', '+', 1) }))
      .where('uid', '=', uid)
      .execute();
  },
};
