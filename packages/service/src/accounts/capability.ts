import type { Capability } from '../capability.ts';
import { accountEvents } from './events.ts';
import { userAttributes } from './userAttributes.ts';

/** Accounts, and what administrators do with them and with the service. */
export const accounts = {
  name: 'accounts',
  operations: {
    getUser: (context, { params, bearer }) => userAttributes(context, bearer, params.uid),
  },
  auditEvents: accountEvents,
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
} satisfies Capability;
