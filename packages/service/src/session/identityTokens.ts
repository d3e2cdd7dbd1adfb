import type { Kysely } from 'kysely';
import type { Tables, VerificationTokenRow } from '../core/database/tables.ts';
import { verificationOver } from '../core/errors.ts';
import { hashOfToken, newOpaqueToken } from '../platform/security/opaqueTokens.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import type { IdentityProof, ServiceContext } from '../core/context.ts';
import { amrOfProof, type Authentication } from './authentication.ts';

/**
 * Issues a verification token (`authVerificationToken`) after the identity of a signed-in user was verified. It
 * belongs to that session, also after a refresh, and is stored hashed.
 */
export async function issueIdentityToken(
  { db, settings }: ServiceContext,
  bearer: SessionBearer,
  { method, element = null }: IdentityProof,
): Promise<string> {
  const token = newOpaqueToken();
  const now = settings.now();
  await db
    .insertInto('verification_tokens')
    .values({
      token_hash: hashOfToken(token),
      uid: bearer.uid,
      purpose: 'identity',
      method,
      element,
      mfa_type: null,
      session_id: bearer.sessionId,
      created_at: new Date(now),
      expires_at: new Date(now + settings.verificationSeconds * 1000),
      code_hash: null,
      code_expires_at: null,
    })
    .execute();
  return token;
}

type IdentityTokenRow = Pick<
  VerificationTokenRow,
  'token_hash' | 'method' | 'element' | 'created_at' | 'expires_at' | 'code_hash' | 'code_expires_at'
>;

/**
 * Checks the verification token of this session. It is not consumed: an enrolment needs it twice.
 *
 * @returns how the user was verified, and the code that was sent for a second step.
 * @throws ServiceError 401 `invalid_verification`.
 */
export async function checkIdentityToken(
  { db, settings }: ServiceContext,
  bearer: SessionBearer,
  token: string | undefined,
): Promise<IdentityTokenRow> {
  if (token === undefined) throw verificationOver();
  const row = await db
    .selectFrom('verification_tokens')
    .select(['token_hash', 'method', 'element', 'created_at', 'expires_at', 'code_hash', 'code_expires_at'])
    .where('token_hash', '=', hashOfToken(token))
    .where('purpose', '=', 'identity')
    .where('uid', '=', bearer.uid)
    .where('session_id', '=', bearer.sessionId)
    .where('expires_at', '>', new Date(settings.now()))
    .executeTakeFirst();
  if (row === undefined) throw verificationOver();
  return row;
}

/** The same. @returns the proof, as receipts and tokens name it. */
export async function checkedProof(
  context: ServiceContext,
  bearer: SessionBearer,
  token: string | undefined,
): Promise<Authentication> {
  const { method, created_at } = await checkIdentityToken(context, bearer, token);
  return { at: created_at.getTime(), amr: amrOfProof(method) };
}

/** Deletes the verification tokens of the user. @returns them. */
export function closeIdentityChecks(
  db: Kysely<Tables>,
  uid: string,
): Promise<readonly (IdentityProof & { readonly token_hash: string })[]> {
  return db
    .deleteFrom('verification_tokens')
    .where('uid', '=', uid)
    .where('purpose', '=', 'identity')
    .returning(['token_hash', 'method', 'element'])
    .execute();
}

/**
 * Consumes the verification token with the change that it permits. All others of the user are deleted too, because
 * they were issued before the change.
 *
 * @returns how the user was verified.
 * @throws ServiceError 401 `invalid_verification` if another request has consumed it in the meantime.
 */
export async function useIdentityToken(
  db: Kysely<Tables>,
  bearer: SessionBearer,
  token: string | undefined,
): Promise<IdentityProof> {
  const closed = await closeIdentityChecks(db, bearer.uid);
  const used = closed.find(({ token_hash }) => token !== undefined && token_hash === hashOfToken(token));
  if (used === undefined) throw verificationOver();
  return used;
}
