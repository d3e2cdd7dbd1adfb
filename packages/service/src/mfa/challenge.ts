import type { SignInMethod, TokenResponse } from '@vestibule/contract/schema';
import type { ActiveFactor, UserRow } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { challengeOver, lockedOut } from '../errors.ts';
import { challengeKey } from '../limits/attemptKeys.ts';
import { hashOfToken, newOpaqueToken } from '../security/opaqueTokens.ts';
import type { CallContext } from '../serviceContext.ts';
import { withCurrentCredentials } from '../session/withCurrentCredentials.ts';
import { findChallenge, type ChallengeReference } from './openChallenge.ts';
import { countText, newTextCode, sendTextCode, writeTextCode, type TextedCode } from './textCode.ts';

/** A challenge ends after this many times its life, however often its code is sent again. */
const longestLives = 3;

type ChallengeContext = Pick<
  CallContext,
  'db' | 'settings' | 'passwords' | 'attempts' | 'audit' | 'network' | 'messages'
>;

/**
 * Answers a sign-in with an MFA challenge. Its `authVerificationToken` stands for the proof already given (a
 * provider's code is not exchanged again) and is stored hashed. For `authy` a code is sent.
 *
 * @param user as it was when the proof was given.
 * @returns `null` when the factors have changed since: the holder of the former phone could
 * answer a challenge for it.
 * @throws ServiceError 401 when the password was changed meanwhile; 429 after too many wrong codes or text messages;
 * 503 when the message was not taken.
 */
export async function startChallenge(
  context: ChallengeContext,
  user: UserRow,
  method: SignInMethod,
  factor: ActiveFactor,
): Promise<TokenResponse | null> {
  const { uid } = user;
  await refuseWhileLocked(context, uid);
  const text = factor.type === 'authy' ? await prepareText(context, uid) : null;
  const token = newOpaqueToken();
  const createdAt = new Date(context.settings.now());
  const lives = livesFrom(context, createdAt);
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
        mfa_type: factor.type,
        session_id: null,
        created_at: createdAt,
        expires_at: lives.expires_at,
        code_hash: text?.hash ?? null,
        code_expires_at: text === null ? null : lives.code_expires_at,
      })
      .execute();
    await context.audit.record(trx, {
      event: 'sign-in',
      outcome: 'pending',
      uid,
      method,
      reason: 'second-step',
    });
    if (text === null) return { message: null };
    const texted = textFor(factor, tokenHash, text.code, lives.lifeSeconds);
    return { message: await writeTextCode({ ...context, db: trx }, texted) };
  });
  if (started === null) return null;
  if (text !== null) await sendTextCode(context, started.message);
  return challengeAnswer(factor, token);
}

/**
 * `POST /auth/v1/token` with a challenge's token and nothing else: a new code in place of the old one.
 *
 * @throws ServiceError as `startChallenge`, and 401 `invalid_verification` when the challenge is over.
 */
export async function resendCode(
  context: ChallengeContext,
  request: ChallengeReference,
): Promise<TokenResponse> {
  const { row, factor } = await findChallenge(context, request);
  // An authenticator app shows its code by itself: there is nothing to send, and nothing to refuse.
  if (factor.type === 'authy') {
    await refuseWhileLocked(context, row.uid);
    const text = await prepareText(context, row.uid);
    const { lifeSeconds, ...expiries } = livesFrom(context, row.created_at);
    const message = await inTransaction(context.db, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('verification_tokens')
        .set({ code_hash: text.hash, ...expiries })
        .where('token_hash', '=', row.token_hash)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw challengeOver();
      const texted = textFor(factor, row.token_hash, text.code, lifeSeconds);
      return writeTextCode({ ...context, db: trx }, texted);
    });
    await sendTextCode(context, message);
  }
  return challengeAnswer(factor, request.authVerificationToken);
}

function textFor(
  { uid, phone }: ActiveFactor,
  tokenHash: string,
  code: string,
  lifeSeconds: number,
): TextedCode {
  return { uid, phone: phone ?? '', code, lifeSeconds, topic: `challenge ${tokenHash}` };
}

function challengeAnswer(factor: ActiveFactor, authVerificationToken: string): TokenResponse {
  return {
    mfaRequired: true,
    mfaType: factor.type,
    authVerificationToken,
    uid: factor.uid,
    ...(factor.authy_id === null ? {} : { authyId: factor.authy_id }),
  };
}

/** Before a text message is sent that would lead nowhere. */
async function refuseWhileLocked({ attempts, network }: ChallengeContext, uid: string): Promise<void> {
  const seconds = await attempts.lockedFor(challengeKey(uid, network));
  if (seconds !== null) throw lockedOut(seconds);
}

async function prepareText(context: ChallengeContext, uid: string): ReturnType<typeof newTextCode> {
  await countText(context, [['signInsPerUser', uid]]);
  return newTextCode(context);
}

/**
 * When a challenge and its newest code end, and how long that is. A resend starts both again, but not without end: the
 * challenge stands for a password that was entered a while ago.
 */
function livesFrom(
  { settings }: Pick<CallContext, 'settings'>,
  createdAt: Date,
): { readonly expires_at: Date; readonly code_expires_at: Date; readonly lifeSeconds: number } {
  const now = settings.now();
  const longest = createdAt.getTime() + longestLives * settings.challengeSeconds * 1000;
  const end = Math.min(now + settings.challengeSeconds * 1000, longest);
  const codeEnd = Math.min(now + settings.textCodeSeconds * 1000, end);
  return {
    expires_at: new Date(end),
    code_expires_at: new Date(codeEnd),
    lifeSeconds: (codeEnd - now) / 1000,
  };
}
