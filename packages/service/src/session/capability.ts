import type { Capability } from '../capability.ts';
import { databaseTime } from '../platform/database/databaseTime.ts';
import { sessionEvents } from './events.ts';
import { endSessionsOf } from './endSessions.ts';
import { refreshSession } from './refreshSession.ts';
import { sessionTexts } from './session.messages.ts';

/** Sessions: their start, refresh and end. */
export const session = {
  name: 'session',
  operations: {
    refreshToken: (context, { body, caller }) => refreshSession(context, body, caller),
  },
  auditEvents: sessionEvents,
  noticeTexts: { 'token-reused': sessionTexts.tokenReused },
  endAccess: ({ db, settings }, uid, reason) => endSessionsOf(db, uid, reason, new Date(settings.now())),
  cleanUp: async ({ db, settings }) => {
    const at = databaseTime(settings.now);
    await db.deleteFrom('verification_tokens').where('expires_at', '<', at).execute();
    // A session's tokens are removed with it and not earlier: a reused one must be detected as long as the session
    // lasts.
    await db.deleteFrom('sessions').where('expires_at', '<', at).execute();
  },
  exportPerson: async (db, { uid }) => ({
    sessions: await db
      .selectFrom('sessions')
      .select(['method', 'created_at as createdAt', 'expires_at as expiresAt', 'ended_at as endedAt'])
      .select([
        'end_reason as endReason',
        'signed_in_by as signedInBy',
        'amr',
        'browser',
        'system',
        'network',
      ])
      .where('uid', '=', uid)
      .orderBy('created_at')
      .execute(),
    verifications: await db
      .selectFrom('verification_tokens')
      .select(['purpose', 'method', 'mfa_type as mfa', 'created_at as createdAt', 'expires_at as expiresAt'])
      .where('uid', '=', uid)
      .execute(),
  }),
} satisfies Capability;
