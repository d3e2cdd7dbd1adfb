import type { OpenIdCodeResponse } from '@vestibule/contract/schema';
import type { Kysely, Transaction } from 'kysely';
import { mfaEvents } from '../mfa/events.ts';
import { findByUid, type ActiveFactor } from '../accounts/accounts.ts';
import { underLockout } from '../identity/underLockout.ts';
import { matchFactorCode, useStep, type MatchedCode } from '../mfa/factorCode.ts';
import { countText, newTextCode, sendTextCode, writeTextCode } from '../mfa/textCode.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import type { Tables } from '../core/database/tables.ts';
import { mfaTypes } from '../core/database/twoStepMethod.ts';
import { codeRefused, lockedOut, verificationOver } from '../core/errors.ts';
import { Refusal, requestRefused, type ServiceError } from '../platform/errors.ts';
import { sessionCodeKey } from '../core/limits/attemptKeys.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import type { OpenIdContext } from './context.ts';
import { checkIdentityToken } from '../session/identityTokens.ts';

type SecondStep = OpenIdCodeResponse['type'];

/** The second step of an account; `null` without one. */
export async function secondStepOf({ db }: OpenIdContext, uid: string): Promise<SecondStep | null> {
  const factor = await activeFactor(db, uid);
  return factor === null ? null : typeOf(factor);
}

const typeOf = ({ method }: ActiveFactor): SecondStep => (method === 'text' ? 'sms' : 'app');

async function activeFactor(db: Kysely<Tables>, uid: string): Promise<ActiveFactor | null> {
  return (await findByUid(db, uid))?.factors[0] ?? null;
}

/**
 * `POST /auth/v1/openid/requests/{id}/code`: sends a code by text message, which replaces a former one and ends with the proof. The code
 * of an authenticator app needs no message.
 *
 * @throws ServiceError 400 without a second step; 401 `invalid_verification`; 429 while the session is locked, and after too many text
 * messages; 503 if the message was refused.
 */
export async function sendCode(
  context: OpenIdContext,
  bearer: SessionBearer,
  authVerificationToken: string,
): Promise<OpenIdCodeResponse> {
  const { uid, sessionId } = bearer;
  const { settings } = context;
  const proof = await checkIdentityToken(context, bearer, authVerificationToken);
  const factor = await activeFactor(context.db, uid);
  if (factor === null) throw requestRefused();
  if (factor.phone === null) return { type: typeOf(factor), lastFourPhone: null };
  const seconds = await context.attempts.lockedFor(sessionCodeKey(uid, sessionId));
  if (seconds !== null) throw lockedOut(seconds);
  await countText(context, [['signInsPerUser', uid]]);
  const { code, hash } = await newTextCode(context);
  const end = Math.min(settings.now() + settings.textCodeSeconds * 1000, proof.expires_at.getTime());
  const message = await inTransaction(context.db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('verification_tokens')
      .set({ code_hash: hash, code_expires_at: new Date(end) })
      .where('token_hash', '=', proof.token_hash)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw verificationOver();
    return writeTextCode(
      { ...context, db: trx },
      {
        ...{ uid, phone: factor.phone ?? '', code, topic: `proof ${proof.token_hash}` },
        lifeSeconds: (end - settings.now()) / 1000,
      },
    );
  });
  await sendTextCode(context, message);
  return { type: 'sms', lastFourPhone: factor.phone.slice(-4) };
}

/** A right code. */
interface CheckedCode {
  /** The method of the second step (RFC 8176). */
  readonly amr: 'sms' | 'otp';
  /**
   * Uses the code up, in the transaction that uses the proof, and before that.
   *
   * @throws ServiceError 401 `code_wrong` if it was used, or replaced, in the meantime.
   */
  readonly use: (trx: Transaction<Tables>) => Promise<void>;
}

/**
 * Checks the code of the second step of a proof. Failures lock this session as those of a sign-in lock a network.
 *
 * @param code `undefined` is refused, and does not count.
 * @throws ServiceError 401 `invalid_verification` or `code_wrong`; 429 while the session is locked.
 */
export async function checkCode(
  context: OpenIdContext,
  bearer: SessionBearer,
  authVerificationToken: string | undefined,
  code: string | undefined,
): Promise<CheckedCode> {
  const { uid, sessionId } = bearer;
  const proof = await checkIdentityToken(context, bearer, authVerificationToken);
  const factor = await activeFactor(context.db, uid);
  if (factor === null || code === undefined) throw codeWrong();
  const { usedStep } = await underLockout(
    context,
    sessionCodeKey(uid, sessionId),
    async (passwords) => {
      const match = await matchFactorCode({ ...context, passwords }, factor, proof, code);
      return match !== null && isUnused(factor, match) ? match : null;
    },
    codeWrong,
  );
  return {
    amr: factor.method === 'text' ? 'sms' : 'otp',
    use: async (trx) => {
      const isUsed = usedStep === null ? await useTextCode(trx, proof) : await useStep(trx, factor, usedStep);
      if (!isUsed) throw codeWrong();
      const method = mfaTypes[factor.method];
      await context.audit.record(trx, { event: mfaEvents['second-step'], outcome: 'success', uid, method });
    },
  };
}

const codeWrong = (): ServiceError => new Refusal(401, 'code_wrong', codeRefused().text);

/** A right code that was used must count as a failure: otherwise it would reset the count for who has seen it. */
const isUnused = ({ last_used_step: last }: ActiveFactor, { usedStep }: MatchedCode): boolean =>
  usedStep === null || last === null || usedStep > last;

type Proof = Awaited<ReturnType<typeof checkIdentityToken>>;

async function useTextCode(trx: Transaction<Tables>, { token_hash, code_hash }: Proof): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('verification_tokens')
    .set({ code_hash: null, code_expires_at: null })
    .where('token_hash', '=', token_hash)
    .where('code_hash', '=', code_hash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
