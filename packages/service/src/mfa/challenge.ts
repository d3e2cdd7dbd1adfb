import type { SignInMethod, TokenResponse } from '@vestibule/contract/schema';
import { sessionEvents } from '../session/events.ts';
import type { ActiveFactor } from '../accounts/accounts.ts';
import { mfaTypes } from '../core/database/twoStepMethod.ts';
import type { UserRow } from '../core/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { challengeOver, lockedOut } from '../core/errors.ts';
import { challengeKey } from '../core/limits/attemptKeys.ts';
import { hashOfToken, newOpaqueToken } from '../platform/security/opaqueTokens.ts';
import type { CallContext } from '../core/context.ts';
import { withCurrentCredentials } from '../session/withCurrentCredentials.ts';
import { findChallenge, type ChallengeReference } from './openChallenge.ts';
import { countText, newTextCode, sendTextCode, writeTextCode, type TextedCode } from './textCode.ts';

/** A challenge ends after this many lifetimes, regardless of resent codes. */
const maxLifetimes = 3;

/**
 * Starts a challenge, and returns it as the response to a sign-in. Its `authVerificationToken` is stored hashed, and
 * proves the first step (a provider's code is not exchanged again). For text messages a code is sent.
 *
 * @param user as of the first proof.
 * @returns `null` if the factors have changed since then: the code could go to a former phone.
 * @throws ServiceError 401 if the password was changed in the meantime; 429 after too many wrong codes or text
 * messages; 503 if the message was refused.
 */
export async function startChallenge(
  context: CallContext,
  user: UserRow,
  method: SignInMethod,
  factor: ActiveFactor,
): Promise<TokenResponse | null> {
  const { uid } = user;
  await refuseWhileLocked(context, uid);
  const text = factor.method === 'text' ? await prepareText(context, uid) : null;
  const token = newOpaqueToken();
  const createdAt = new Date(context.settings.now());
  const lifetimes = lifetimesFrom(context, createdAt);
  const tokenHash = hashOfToken(token);
  const started = await withCurrentCredentials(context, user, method, async (trx, present) => {
    if (present.factors_version !== user.factors_version) return null;
    await trx
      .insertInto('verification_tokens')
      .values({
        token_hash: tokenHash,
        uid,
        purpose: 'challenge',
        method,
        mfa_type: mfaTypes[factor.method],
        session_id: null,
        created_at: createdAt,
        expires_at: lifetimes.expires_at,
        code_hash: text?.hash ?? null,
        code_expires_at: text === null ? null : lifetimes.code_expires_at,
      })
      .execute();
    await context.audit.record(trx, {
      event: sessionEvents['sign-in'],
      outcome: 'pending',
      uid,
      method,
      reason: 'second-step',
    });
    const challenge = { uid, token_hash: tokenHash, created_at: createdAt, expires_at: lifetimes.expires_at };
    await context.slots.challengeStarted({ ...context, db: trx }, challenge);
    if (text === null) return { message: null };
    const texted = textFor(factor, tokenHash, text.code, lifetimes.lifeSeconds);
    return { message: await writeTextCode({ ...context, db: trx }, texted) };
  });
  if (started === null) return null;
  if (text !== null) await sendTextCode(context, started.message);
  return challengeResponse(factor, token);
}

/**
 * `POST /auth/v1/token` with only a challenge's token: replaces the code by a new one.
 *
 * @throws ServiceError as `startChallenge`, and 401 `invalid_verification` if the challenge has ended.
 */
export async function resendCode(context: CallContext, request: ChallengeReference): Promise<TokenResponse> {
  const { row, factor } = await findChallenge(context, request);
  // An authenticator app needs no message.
  if (factor.method === 'text') {
    await refuseWhileLocked(context, row.uid);
    const text = await prepareText(context, row.uid);
    const { lifeSeconds, ...expiries } = lifetimesFrom(context, row.created_at);
    const message = await inTransaction(context.db, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('verification_tokens')
        .set({ code_hash: text.hash, ...expiries })
        .where('token_hash', '=', row.token_hash)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw challengeOver();
      await context.slots.challengeStarted(
        { ...context, db: trx },
        { ...row, expires_at: expiries.expires_at },
      );
      const texted = textFor(factor, row.token_hash, text.code, lifeSeconds);
      return writeTextCode({ ...context, db: trx }, texted);
    });
    await sendTextCode(context, message);
  }
  return challengeResponse(factor, request.authVerificationToken);
}

function textFor(
  { uid, phone }: ActiveFactor,
  tokenHash: string,
  code: string,
  lifeSeconds: number,
): TextedCode {
  return { uid, phone: phone ?? '', code, lifeSeconds, topic: `challenge ${tokenHash}` };
}

function challengeResponse(factor: ActiveFactor, authVerificationToken: string): TokenResponse {
  return {
    mfaRequired: true,
    mfaType: mfaTypes[factor.method],
    authVerificationToken,
    uid: factor.uid,
    ...(factor.authy_id === null ? {} : { authyId: factor.authy_id }),
  };
}

/** Refuses before a text message is sent whose code would be rejected. */
async function refuseWhileLocked({ attempts, network }: CallContext, uid: string): Promise<void> {
  const seconds = await attempts.lockedFor(challengeKey(uid, network));
  if (seconds !== null) throw lockedOut(seconds);
}

async function prepareText(context: CallContext, uid: string): ReturnType<typeof newTextCode> {
  await countText(context, [['signInsPerUser', uid]]);
  return newTextCode(context);
}

/**
 * The ends of a challenge and of its newest code, and the lifetime of that code. A resend restarts both, up to a
 * maximum since the password was entered.
 */
function lifetimesFrom(
  { settings }: CallContext,
  createdAt: Date,
): { readonly expires_at: Date; readonly code_expires_at: Date; readonly lifeSeconds: number } {
  const now = settings.now();
  const latestEnd = createdAt.getTime() + maxLifetimes * settings.challengeSeconds * 1000;
  const end = Math.min(now + settings.challengeSeconds * 1000, latestEnd);
  const codeEnd = Math.min(now + settings.textCodeSeconds * 1000, end);
  return {
    expires_at: new Date(end),
    code_expires_at: new Date(codeEnd),
    lifeSeconds: (codeEnd - now) / 1000,
  };
}
