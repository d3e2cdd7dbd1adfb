import type { DoneResponse, RevokeRequest } from '@vestibule/contract/schema';
import { inTransaction } from '../platform/database/transaction.ts';
import { hashOfToken } from '../platform/security/opaqueTokens.ts';
import { spend } from '../core/spentProofs.ts';
import type { ServiceContext } from '../core/context.ts';
import { revokeEvents } from './events.ts';

/**
 * `POST /auth/v1/revoke`, an extension: the user signs out. An invalid token gets the same response and changes
 * nothing, so that the call reveals nothing about a token.
 */
export async function revokeSession(context: ServiceContext, request: RevokeRequest): Promise<DoneResponse> {
  if ('refresh' in request) {
    await endSessionOf(context, request.refresh);
  } else {
    const bearer = await context.tokens.readBearer(request.mfaToken);
    // Setup mode has no session to end, so the id of its token is stored until the token expires.
    const until = new Date(context.settings.now() + context.settings.setupTokenSeconds * 1000);
    if (bearer?.kind === 'setup' && (await spend(context.db, 'setup', bearer.tokenId, until))) {
      await context.audit.record(context.db, {
        event: revokeEvents['sign-out'],
        outcome: 'success',
        uid: bearer.uid,
      });
    }
  }
  return {};
}

/**
 * Accepts any refresh token of the session, also one that was rotated in the meantime. The statement waits for a
 * refresh in progress, whose new token belongs to the ended session.
 */
async function endSessionOf({ db, settings, audit }: ServiceContext, refresh: string): Promise<void> {
  const now = new Date(settings.now());
  await inTransaction(db, async (trx) => {
    const ended = await trx
      .updateTable('sessions')
      .set({ ended_at: now, end_reason: 'signOut' })
      .where('ended_at', 'is', null)
      .where('id', '=', (eb) =>
        eb
          .selectFrom('refresh_tokens')
          .select('session_id')
          .where('token_hash', '=', hashOfToken(refresh))
          .where('expires_at', '>', now),
      )
      .returning(['uid', 'method'])
      .executeTakeFirst();
    if (ended !== undefined)
      await audit.record(trx, { event: revokeEvents['sign-out'], outcome: 'success', ...ended });
  });
}
