import type { Capability } from '../capability.ts';
import { revokeEvents } from './events.ts';
import { revokeSession } from './revokeSession.ts';

/** Ends the session of a user who signs out. */
export const revoke = {
  name: 'revoke',
  init: { isOn: true, summary: 'a sign-out ends the session at the service too' },
  operations: { revokeSession: (context, { body }) => revokeSession(context, body) },
  auditEvents: revokeEvents,
} satisfies Capability;
