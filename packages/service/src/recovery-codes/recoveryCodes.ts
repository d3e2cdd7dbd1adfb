import { createHmac, randomInt } from 'node:crypto';
import type {
  MakeRecoveryCodesRequest,
  NewRecoveryCodesResponse,
  RecoveryCodesResponse,
  TokenResponse,
  UseRecoveryCodeRequest,
} from '@vestibule/contract/schema';
import { findByUid } from '../accounts/accounts.ts';
import { withUserLocked } from '../accounts/lockUser.ts';
import { challengeOver, codeRefused, sessionEnded } from '../core/errors.ts';
import { ServiceError } from '../platform/errors.ts';
import { underLockout } from '../identity/underLockout.ts';
import { challengeKey } from '../core/limits/attemptKeys.ts';
import type { Bearer, SessionBearer } from '../core/keys/signedTokens.ts';
import type { CallContext, ServiceContext } from '../core/context.ts';
import { checkIdentityToken, useIdentityToken } from '../session/identityTokens.ts';
import { firstStepOf } from '../session/authentication.ts';
import { startSession } from '../session/startSession.ts';
import { withCurrentCredentials } from '../session/withCurrentCredentials.ts';
import { findChallenge, useChallenge } from '../mfa/openChallenge.ts';
import { trustDevice } from '../mfa/trustedDevices.ts';
import { recoveryTables } from './tables.ts';
import { recoveryEvents } from './events.ts';
import { recoveryTexts } from './recoveryCodes.messages.ts';

const codesAtOnce = 10;
/** Crockford's base32: no I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 4;
const groupLength = 4;

/** `GET /auth/v1/recovery-codes`, of the extension `recovery-codes`. */
export async function countRecoveryCodes(
  { db }: ServiceContext,
  { uid }: Pick<Bearer, 'uid'>,
): Promise<RecoveryCodesResponse> {
  const rows = await recoveryTables(db)
    .selectFrom('recovery_codes')
    .select('created_at')
    .where('uid', '=', uid)
    .execute();
  return { remaining: rows.length, createdAt: rows[0]?.created_at.toISOString() ?? null };
}

/**
 * `POST /auth/v1/recovery-codes`: ten new codes, in place of the former ones.
 *
 * @throws ServiceError 401 `invalid_verification`; 400 while two-step verification is off.
 */
export async function makeRecoveryCodes(
  context: ServiceContext,
  bearer: SessionBearer,
  { authVerificationToken }: MakeRecoveryCodesRequest,
): Promise<NewRecoveryCodesResponse> {
  const { uid } = bearer;
  await checkIdentityToken(context, bearer, authVerificationToken);
  const codes = Array.from({ length: codesAtOnce }, newCode);
  const made = await withUserLocked(context.db, uid, async (trx) => {
    const account = await findByUid(trx, uid);
    if (account === null || account.factors.length === 0) return false;
    await useIdentityToken(trx, bearer, authVerificationToken);
    const created_at = new Date(context.settings.now());
    await recoveryTables(trx).deleteFrom('recovery_codes').where('uid', '=', uid).execute();
    await recoveryTables(trx)
      .insertInto('recovery_codes')
      .values(codes.map((code) => ({ uid, code_hash: hashOfCode(uid, code), created_at })))
      .execute();
    await context.audit.record(trx, {
      event: recoveryEvents['recovery-codes-made'],
      outcome: 'success',
      uid,
    });
    return true;
  });
  if (made === null) throw sessionEnded('unauthorized');
  if (!made) throw new ServiceError(400, 'invalid_request', recoveryTexts.needTwoStep);
  return { codes };
}

/**
 * `POST /auth/v1/recovery-codes/use`: a recovery code instead of the code of the second step, under the same lockout.
 *
 * @throws ServiceError as `submitChallenge`.
 */
export async function useRecoveryCode(
  context: CallContext,
  { code, trust, ...reference }: UseRecoveryCodeRequest,
): Promise<TokenResponse> {
  const { row, account } = await findChallenge(context, reference);
  const { uid } = row;
  const code_hash = hashOfCode(uid, code);
  const check = async (): Promise<TokenResponse | null> => {
    const stored = await recoveryTables(context.db)
      .selectFrom('recovery_codes')
      .select('uid')
      .where('uid', '=', uid)
      .where('code_hash', '=', code_hash)
      .executeTakeFirst();
    // A wrong one does not wait for the user's lock.
    if (stored === undefined) return null;
    return withCurrentCredentials(context, account.user, row.method, async (trx) => {
      const { numDeletedRows } = await recoveryTables(trx)
        .deleteFrom('recovery_codes')
        .where('uid', '=', uid)
        .where('code_hash', '=', code_hash)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return null;
      // The error rolls back the removal of the code, which did not succeed.
      if (!(await useChallenge({ ...context, db: trx }, row))) throw challengeOver();
      await context.audit.record(trx, {
        event: recoveryEvents['recovery-code-used'],
        outcome: 'success',
        uid,
      });
      const session = await startSession({ ...context, db: trx }, account.user, row.method, {
        amr: [firstStepOf(row.method), 'otp', 'mfa'],
      });
      if (trust !== true) return session;
      return { ...session, trustedToken: await trustDevice({ ...context, db: trx }, uid) };
    });
  };
  return underLockout(context, challengeKey(uid, context.network), check, codeRefused);
}

/** 80 random bits, as `7F3K-9QXA-2MVD-H4TE`. */
function newCode(): string {
  const group = (): string =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/**
 * The stored form: HMAC-SHA-256 with the uid as the key. A fast hash suffices, because 80 random bits cannot be guessed;
 * the key makes an attacker who has the database guess at each account separately.
 *
 * @param code as entered. Case, blanks, hyphens and invisible marks are ignored, and letters that look like digits count as digits.
 */
function hashOfCode(uid: string, code: string): string {
  const plain = code
    .normalize('NFKC')
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '')
    .toUpperCase()
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
  return createHmac('sha256', uid).update(plain, 'utf8').digest('hex');
}
