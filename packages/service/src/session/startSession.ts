import type { RefreshResponse, SignInMethod, TokenResponse } from '@vestibule/contract/schema';
import { sql } from 'kysely';
import { noteLanguage } from '../accounts/noteLanguage.ts';
import type { UserRow } from '../core/database/tables.ts';
import { clientDetailsOf } from '../core/audit/clientDetails.ts';
import { hashOfToken, newOpaqueToken, newShortId } from '../platform/security/opaqueTokens.ts';
import type { TransactionContext } from '../core/context.ts';
import { sessionEvents } from './events.ts';
import { firstStepOf } from './authentication.ts';
import { claimsOf } from './claims.ts';

/** How many sessions a user may have at once. It bounds the rows of an account. */
const maxSessions = 100;

/** How a user signed in. */
interface SignIn {
  /** As the audit log names it. */
  readonly signedInBy?: string;
  /** The methods of RFC 8176; `mfa` for two steps, and for a passkey, which is possession and knowledge. */
  readonly amr?: readonly string[];
}

/**
 * Starts a session with its first refresh token. If the user then has more than 100, the oldest session ends, with its
 * verification tokens.
 *
 * @param context `db` is a transaction that locks the user's row (see `withCurrentCredentials`), so that a concurrent
 * password change also ends the new session.
 * @param method how the user verifies the identity in this session.
 * @param signIn how the user signed in, if that differs from `method` or has a second step.
 * @returns the response of the sign-in.
 */
export async function startSession(
  context: TransactionContext,
  user: UserRow,
  method: SignInMethod,
  { signedInBy = method, amr = [firstStepOf(method)] }: SignIn = {},
): Promise<RefreshResponse & TokenResponse> {
  const { db, settings, tokens, audit, slots, language } = context;
  const id = newShortId();
  const refresh = newOpaqueToken();
  const now = settings.now();
  const sessionEnd = now + settings.sessionSeconds * 1000;
  // One statement, for one round trip while the user's row is locked.
  const { hasEndedOther } = await db
    .with('surplus', (query) =>
      query
        .updateTable('sessions')
        .set({ ended_at: new Date(now), end_reason: 'elsewhere' })
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('sessions')
            .select('id')
            .where('uid', '=', user.uid)
            .where('ended_at', 'is', null)
            .where('expires_at', '>', new Date(now))
            .orderBy('created_at', 'desc')
            .orderBy('id')
            // The new session is not stored yet.
            .offset(maxSessions - 1),
        )
        .returning('id'),
    )
    .with('proofs', (query) =>
      query
        .deleteFrom('verification_tokens')
        .where('session_id', 'in', (eb) => eb.selectFrom('surplus').select('id')),
    )
    .with('opened', (query) =>
      query.insertInto('sessions').values({
        id,
        uid: user.uid,
        method,
        signed_in_by: signedInBy,
        amr: amr.join(' '),
        ...clientDetailsOf(audit.origin),
        rotation_key: newOpaqueToken(),
        created_at: new Date(now),
        expires_at: new Date(sessionEnd),
        ended_at: null,
        end_reason: null,
      }),
    )
    .insertInto('refresh_tokens')
    .values({
      token_hash: hashOfToken(refresh),
      session_id: id,
      created_at: new Date(now),
      expires_at: new Date(Math.min(now + settings.refreshTokenSeconds * 1000, sessionEnd)),
      rotated_at: null,
    })
    .returning(sql<boolean>`exists (select from surplus)`.as('hasEndedOther'))
    .executeTakeFirstOrThrow();
  if (hasEndedOther)
    await audit.record(db, { event: sessionEvents['sessions-ended'], outcome: 'success', uid: user.uid });
  await audit.record(db, {
    event: sessionEvents['sign-in'],
    outcome: 'success',
    uid: user.uid,
    sessionId: id,
    method: signedInBy,
  });
  // After the notice about this sign-in, so that an attacker cannot choose the language of the notice.
  await noteLanguage(db, user.uid, language);
  const session = { id, signedInBy, startedAt: now };
  const added = await slots.sessionAttributes(context, session);
  return { ...added, token: tokens.signSession(claimsOf(user, method), id), refresh };
}
