import type { Capability } from '../capability.ts';
import { revokeSession } from './revokeSession.ts';

declare module '../core/audit/audit.ts' {
  interface AuditEvents {
    'sign-out': EventKinds;
  }
}

/** Ends the session of a user who signs out. */
export const revoke: Capability = {
  name: 'revoke',
  init: { isOn: true, summary: 'a sign-out ends the session at the service too' },
  operations: { revokeSession: (context, { body }) => revokeSession(context, body) },
  auditEvents: { 'sign-out': { activity: 'session-ended' } },
};
