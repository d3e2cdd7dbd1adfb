import { randomBytes } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import type {
  ConfirmationAnsweredResponse,
  ConfirmationTextResponse,
  PasskeyAssertionRequest,
  PasskeyRequestOptions,
} from '@vestibule/contract/schema';
import { withUserLocked } from '../accounts/lockUser.ts';
import { countText, newTextCode, sendTextCode } from '../mfa/textCode.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { ServiceError } from '../platform/errors.ts';
import type { SessionBearer } from '../platform/security/signedTokens.ts';
import { spend } from '../platform/security/spentProofs.ts';
import type { ServiceContext, TransactionContext } from '../platform/serviceContext.ts';
import { detailsOf, findConfirmation, unknownConfirmation } from './confirmations.ts';
import { confirmationTexts } from './confirmations.messages.ts';
import { challengeOf, clientDataTypes, isAsShown } from './details.ts';
import { confirmingIds, type PaymentElement } from './elements.ts';
import type { ConfirmationRow, PasskeyProof } from './tables.ts';

type Bearer = Pick<SessionBearer, 'uid'>;
type Answered = Promise<ConfirmationAnsweredResponse>;

/** Wrong codes and refused passkeys after which a confirmation has failed. */
const mostFailures = 5;
const challengeType = 'confirmation-challenge+jwt';

/** @throws ServiceError 404; 409 `confirmation_closed` if it is decided or expired. */
async function findOpen(context: ServiceContext, { uid }: Bearer, id: string): Promise<ConfirmationRow> {
  const row = await findConfirmation(context, uid, id);
  if (row.state !== 'open') throw closed();
  return row;
}

const closed = (): ServiceError => new ServiceError(409, 'confirmation_closed', confirmationTexts.closed);

/** `POST …/passkey/options`. @throws ServiceError as `findOpen`; 401 `passkey_refused` for a user without a passkey. */
export async function startByPasskey(
  context: ServiceContext,
  bearer: Bearer,
  id: string,
): Promise<PasskeyRequestOptions> {
  const { settings, slots, tokens } = context;
  const row = await findOpen(context, bearer, id);
  const keys = await confirmingIds(context, bearer.uid, 'passkey');
  const options = await slots.signatures?.optionsFor(context, bearer.uid, keys);
  if (options === undefined || keys.length === 0) throw passkeyRefused();
  const nonce = randomBytes(32).toString('base64url');
  const timeout = row.expires_at.getTime() - settings.now();
  return {
    challengeToken: tokens.sign(challengeType, { id, nonce }, row.expires_at),
    publicKey: { ...options, challenge: challengeOf(row.details, nonce), timeout },
  };
}

export const passkeyRefused = (): ServiceError =>
  new ServiceError(401, 'passkey_refused', confirmationTexts.passkeyRefused);

/** `POST …/passkey`. @throws ServiceError as `findOpen`; 401 `passkey_refused`. */
export async function confirmByPasskey(
  context: ServiceContext,
  bearer: Bearer,
  id: string,
  { challengeToken, credential }: PasskeyAssertionRequest,
): Answered {
  const row = await findOpen(context, bearer, id);
  const check = async (): Promise<Decision | null> => {
    const nonce = await nonceOf(context, row, challengeToken);
    if (nonce === null) return null;
    const challenge = challengeOf(row.details, nonce);
    const signature = await context.slots.signatures?.verify(
      context,
      bearer.uid,
      challenge,
      credential,
      clientDataTypes,
    );
    if (signature === undefined || signature === null) return null;
    const { publicKey, rpId, use } = signature;
    const { clientDataJSON, authenticatorData, signature: signed } = credential.response;
    if (!isAsShown(clientDataJSON, detailsOf(row), row.client_name, rpId)) return null;
    const proof = { nonce, rpId, credentialId: credential.id, publicKey, clientDataJSON, authenticatorData };
    return { method: 'passkey', element: credential.id, proof: { ...proof, signature: signed }, use };
  };
  return attempt(context, row, check, passkeyRefused());
}

/** Uses the token up. @returns `null` if it is expired, was used, or is of another confirmation. */
async function nonceOf(
  { db, tokens }: ServiceContext,
  { id, expires_at }: ConfirmationRow,
  token: string,
): Promise<string | null> {
  const claims = await tokens.read(challengeType, token);
  const nonce = claims?.['nonce'];
  if (claims?.['id'] !== id || typeof nonce !== 'string') return null;
  return (await spend(db, 'confirmation', nonce, expires_at)) ? nonce : null;
}

/** `POST …/text`. @throws ServiceError as `findOpen`; 404 without a phone; as `countText` and `sendTextCode`. */
export async function textCode(
  context: ServiceContext,
  bearer: Bearer,
  id: string,
): Promise<ConfirmationTextResponse> {
  const { uid } = bearer;
  const row = await findOpen(context, bearer, id);
  const [phone] = await confirmingIds(context, uid, 'text');
  if (phone === undefined) throw new ServiceError(404, 'not_found', confirmationTexts.noPhone);
  await countText(context, [['signInsPerUser', uid]]);
  const { code, hash } = await newTextCode(context);
  const message = await inTransaction(context.db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('confirmations')
      .set({ code_hash: hash, code_phone: phone })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw closed();
    return writeCode({ ...context, db: trx }, row, phone, code);
  });
  await sendTextCode(context, message);
  return { lastFourPhone: phone.slice(-4) };
}

/** Amount and payee stand before the code. The page reads the code itself, so the message is not bound to a host. */
function writeCode({ db, messages }: TransactionContext, row: ConfirmationRow, to: string, code: string) {
  const { id, uid, expires_at: expiresAt } = row;
  const { amount, payee } = detailsOf(row);
  const text = confirmationTexts.code(`${amount.currency} ${amount.value}`, payee.name, code);
  const content = { to, text, suffix: '' };
  return messages.write(db, {
    channel: 'text',
    kind: 'code',
    uid,
    topic: `confirmation:${id}`,
    expiresAt,
    content,
  });
}

/** `POST …/code`. @throws ServiceError as `findOpen`; 401 `code_wrong`. */
export async function confirmByCode(
  context: ServiceContext,
  bearer: Bearer,
  id: string,
  code: string,
): Answered {
  const row = await findOpen(context, bearer, id);
  const check = async (): Promise<Decision | null> => {
    const match = await context.passwords.inTurn((passwords) => passwords.matches(row.code_hash, code));
    const { code_hash: codeHash, code_phone: element } = row;
    return codeHash === null || element === null || match === null
      ? null
      : { method: 'text', element, codeHash };
  };
  return attempt(context, row, check, codeWrong());
}

export const codeWrong = (): ServiceError => new ServiceError(401, 'code_wrong', confirmationTexts.codeWrong);

interface Decision {
  readonly method: PaymentElement['method'];
  /** The passkey that signed, or the phone to which the code was sent. */
  readonly element: string;
  readonly proof?: PasskeyProof;
  /** Of the code that was right. A new code may have replaced it. */
  readonly codeHash?: string;
  /** Records the use of the key. @returns `false` if that is refused. */
  readonly use?: (trx: TransactionContext['db']) => Promise<boolean>;
}

/**
 * Counts an attempt before it is checked, so that parallel guesses gain nothing.
 *
 * @param check `null` for a failure; an error does not count.
 * @throws ServiceError 409 `confirmation_closed`; the refusal.
 */
async function attempt(
  context: ServiceContext,
  row: ConfirmationRow,
  check: () => Promise<Decision | null>,
  refusal: ServiceError,
): Answered {
  await countAttempt(context, row, 1);
  let decision: Decision | null;
  try {
    decision = await check();
  } catch (error) {
    await countAttempt(context, row, -1);
    throw error;
  }
  try {
    if (decision !== null) return await confirm(context, row, decision, refusal);
  } catch (error) {
    // The key was removed or copied, or a new code has replaced the right one: these count too.
    if (error instanceof ServiceError) await endAfterLast(context, row);
    throw error;
  }
  await endAfterLast(context, row);
  throw refusal;
}

/** @throws ServiceError 409 if there are no more attempts. */
async function countAttempt(
  { db }: Pick<ServiceContext, 'db'>,
  { id }: ConfirmationRow,
  added: 1 | -1,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('confirmations')
    .set((eb) => ({ failures: eb('failures', '+', added) }))
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('failures', '<=', mostFailures - added)
    .executeTakeFirst();
  if (numUpdatedRows === 0n && added === 1) throw closed();
}

async function endAfterLast(context: ServiceContext, { id, uid }: ConfirmationRow): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('confirmations')
      .set({ state: 'failed', decided_at: new Date(context.settings.now()), code_hash: null })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .where('failures', '>=', mostFailures)
      .executeTakeFirst();
    if (numUpdatedRows === 1n)
      await context.audit.record(trx, { event: 'payment-failed', outcome: 'success', uid });
  });
}

async function confirm(
  context: ServiceContext,
  row: ConfirmationRow,
  { method, element, proof, codeHash, use }: Decision,
  refusal: ServiceError,
): Answered {
  const { settings, tokens, audit, keys } = context;
  const now = new Date(settings.now());
  const { id, client, uid, ...payment } = detailsOf(row);
  const claims = { aud: client, sub: uid, jti: id, ...payment, method };
  const receipt = tokens.sign('confirmation+jwt', claims, null);
  const state = await withUserLocked(context.db, uid, async (trx) => {
    // It may have been removed, exchanged or denied in the meantime.
    if (!(await confirmingIds({ ...context, db: trx }, uid, method)).includes(element)) throw refusal;
    const { kid } = decodeProtectedHeader(receipt);
    const key = keys.publicKeys().keys.find((one) => one.kid === kid);
    const decided = { state: 'confirmed', decided_at: now, method, receipt, code_hash: null } as const;
    let update = trx
      .updateTable('confirmations')
      .set({
        ...decided,
        receipt_key: JSON.stringify(key),
        proof: proof === undefined ? null : JSON.stringify(proof),
      })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .where('expires_at', '>', now);
    if (codeHash !== undefined) update = update.where('code_hash', '=', codeHash);
    if ((await update.executeTakeFirst()).numUpdatedRows === 0n) throw closed();
    if ((await use?.(trx)) === false) throw refusal;
    await audit.record(trx, { event: 'payment-confirmed', outcome: 'success', uid, method });
    return 'confirmed' as const;
  });
  if (state === null) throw unknownConfirmation();
  return { state };
}

/** `POST …/decline`. @throws ServiceError as `findOpen`. */
export async function decline(context: ServiceContext, bearer: Bearer, id: string): Answered {
  await findOpen(context, bearer, id);
  await inTransaction(context.db, async (trx) => {
    const now = new Date(context.settings.now());
    const { numUpdatedRows } = await trx
      .updateTable('confirmations')
      .set({ state: 'declined', decided_at: now, code_hash: null })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .where('expires_at', '>', now)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw closed();
    await context.audit.record(trx, { event: 'payment-declined', outcome: 'success', uid: bearer.uid });
  });
  return { state: 'declined' };
}
