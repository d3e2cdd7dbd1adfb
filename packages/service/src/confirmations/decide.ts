import { randomBytes } from 'node:crypto';
import type {
  ConfirmationAnsweredResponse,
  ConfirmationIdentityRequest,
  ConfirmationMethod,
  ConfirmationTextResponse,
  PasskeyAssertionRequest,
  PasskeyRequestOptions,
} from '@vestibule/contract/schema';
import { withUserLocked } from '../accounts/lockUser.ts';
import { newTextCode, sendTextCode } from '../mfa/textCode.ts';
import { recordingRefusal } from '../core/audit/refusals.ts';
import type { WrittenMessage } from '../core/messages/messages.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { sessionEnded, verificationOver } from '../core/errors.ts';
import { Refusal, ServiceError } from '../platform/errors.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import { spend } from '../core/spentProofs.ts';
import type { InTransaction } from '../core/context.ts';
import type { Text } from '../platform/texts/texts.ts';
import { acrOf, levelOf } from '../session/authentication.ts';
import { checkedProof, useIdentityToken } from '../session/identityTokens.ts';
import type { PaymentContext } from './settings.ts';
import { paymentTables } from './tables.ts';
import { paymentEvents } from './events.ts';
import { confirmationClosed, findOpen, permits, unknownConfirmation } from './confirmations.ts';
import { confirmationTexts } from './confirmations.messages.ts';
import { challengeOf, clientDataTypes, detailsOf, isAsShown } from './details.ts';
import { confirmingElements, type PaymentElement } from './elements.ts';
import { endConfirmation, factsOf } from './ends.ts';
import { authenticationOf, expectIdentity, isTooOld } from './identity.ts';
import { expectNoBlock, underMethodBlock } from './methodBlock.ts';
import { countPaymentText, harmless, paymentText } from './textMessage.ts';
import type { ConfirmationRow, PasskeyProof, ProvedIdentity, TextedPhone } from './tables.ts';

type Bearer = SessionBearer;
type Answered = Promise<ConfirmationAnsweredResponse>;

/** Wrong codes and refused passkeys after which a confirmation has failed. */
const mostFailures = 5;
const challengeType = 'confirmation-challenge+jwt';

/** @throws ServiceError as `findOpen`; 403 `identity_required`. */
async function findProvable(context: PaymentContext, bearer: Bearer, id: string): Promise<ConfirmationRow> {
  const row = await findOpen(context, bearer, id);
  await expectIdentity(context, row, bearer);
  return row;
}

/** `POST …/identity`. The token is used up. @throws ServiceError as `findOpen`; 401 `invalid_verification`. */
export async function proveIdentity(
  context: PaymentContext,
  bearer: SessionBearer,
  id: string,
  { authVerificationToken }: ConfirmationIdentityRequest,
): Promise<ConfirmationAnsweredResponse> {
  const row = await findOpen(context, bearer, id);
  const { sessionId, uid } = bearer;
  const proof = await checkedProof(context, bearer, authVerificationToken);
  // The user may have verified identity for something else, before the payment was asked for.
  if (proof.at < row.created_at.getTime() && isTooOld(context, row, proof)) throw verificationOver();
  const identity: ProvedIdentity = { sessionId, ...proof };
  const isDone = await withUserLocked(context.db, uid, async (trx) => {
    await useIdentityToken(trx, bearer, authVerificationToken);
    const { numUpdatedRows } = await paymentTables(trx)
      .updateTable('confirmations')
      .set({ identity: JSON.stringify(identity) })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw confirmationClosed();
    return true;
  });
  if (isDone === null) throw sessionEnded('unauthorized');
  return { state: 'open' };
}

/** `POST …/passkey/options`. @throws ServiceError as `findProvable` and `expectNoBlock`; 401 `passkey_refused` without a passkey that confirms. */
export async function startByPasskey(
  context: PaymentContext,
  bearer: Bearer,
  id: string,
): Promise<PasskeyRequestOptions> {
  const { settings, slots, tokens } = context;
  const row = await findProvable(context, bearer, id);
  await expectNoBlock(context, bearer.uid, 'passkey');
  const keys = permits(row, 'passkey') ? await confirmingElements(context, bearer.uid, 'passkey') : [];
  const ids = keys.map(({ element }) => element);
  const options = await slots.signatures?.optionsFor(context, bearer.uid, ids);
  if (options === undefined || ids.length === 0) throw passkeyRefused();
  const nonce = randomBytes(32).toString('base64url');
  const timeout = row.expires_at.getTime() - settings.now();
  return {
    challengeToken: tokens.sign(challengeType, { id, nonce }, row.expires_at),
    publicKey: { ...options, challenge: challengeOf(row.details, nonce), timeout },
  };
}

export const passkeyRefused = (): ServiceError =>
  new Refusal(401, 'passkey_refused', confirmationTexts.passkeyRefused);

/** `POST …/passkey`. @throws ServiceError as `findProvable`; 401 `passkey_refused`. */
export async function confirmByPasskey(
  context: PaymentContext,
  bearer: Bearer,
  id: string,
  { challengeToken, credential }: PasskeyAssertionRequest,
): Answered {
  const row = await findProvable(context, bearer, id);
  const check = async (): Promise<Decision | null> => {
    const nonce = await nonceOf(context, row, challengeToken);
    if (nonce === null || !permits(row, 'passkey')) return null;
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
    const isUsed = ({ element }: PaymentElement): boolean => element === credential.id;
    return { isUsed, proof: { ...proof, signature: signed }, use };
  };
  return attempt(context, bearer, row, { method: 'passkey', check, refusal: passkeyRefused() });
}

/** Uses the token up. @returns `null` if it is expired, was used, or is of another confirmation. */
async function nonceOf(
  { db, tokens }: PaymentContext,
  { id, expires_at }: ConfirmationRow,
  token: string,
): Promise<string | null> {
  const claims = await tokens.read(challengeType, token);
  const nonce = claims?.['nonce'];
  if (claims?.['id'] !== id || typeof nonce !== 'string') return null;
  return (await spend(db, 'confirmation', nonce, expires_at)) ? nonce : null;
}

/** `POST …/text`. @throws ServiceError as `findProvable`, `expectNoBlock`, `countPaymentText`, `sendTextCode`; 404 without a phone. */
export async function textCode(
  context: PaymentContext,
  bearer: Bearer,
  id: string,
): Promise<ConfirmationTextResponse> {
  const { uid, sessionId } = bearer;
  const row = await findProvable(context, bearer, id);
  const [phone] = permits(row, 'text') ? await confirmingElements(context, uid, 'text') : [];
  if (phone === undefined) throw new Refusal(404, 'not_found', confirmationTexts.noPhone);
  await expectNoBlock(context, uid, 'text');
  await countPaymentText(context, uid);
  const { code, hash } = await newTextCode(context);
  const lastFour = phone.element.slice(-4);
  const texted: TextedPhone = { lastFour, enrolledAt: phone.enrolledAt.getTime() };
  const message = await inTransaction(context.db, async (trx) => {
    const { numUpdatedRows } = await paymentTables(trx)
      .updateTable('confirmations')
      .set({ code_hash: hash, texted: JSON.stringify(texted) })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw confirmationClosed();
    await context.audit.record(trx, {
      ...{ event: paymentEvents['payment-sent'], outcome: 'success' },
      ...factsOf(row, { sessionId, method: 'text', lastFour }),
    });
    return writeCode({ ...context, db: trx }, row, phone.element, code);
  });
  await sendTextCode(context, message);
  return { lastFourPhone: lastFour };
}

/** Amount and payee stand before the code. The page reads the code itself, so the message is not bound to a host. */
async function writeCode(
  { db, messages }: InTransaction<PaymentContext>,
  row: ConfirmationRow,
  to: string,
  code: string,
): Promise<WrittenMessage> {
  const { id, expires_at: expiresAt } = row;
  const details = detailsOf(row);
  const content = { to, text: await paymentText(details, code), suffix: '' };
  return messages.write(db, {
    channel: 'text',
    kind: 'code',
    uid: details.uid,
    topic: `confirmation:${id}`,
    expiresAt,
    content,
  });
}

/** `POST …/code`. @throws ServiceError as `findProvable`; 401 `code_wrong`. */
export async function confirmByCode(
  context: PaymentContext,
  bearer: Bearer,
  id: string,
  code: string,
): Answered {
  const row = await findProvable(context, bearer, id);
  const check = async (): Promise<Decision | null> => {
    const match = await context.passwords.inTurn((passwords) => passwords.matches(row.code_hash, code));
    const { code_hash: codeHash, texted } = row;
    if (codeHash === null || texted === null || match === null || !permits(row, 'text')) return null;
    const isUsed = ({ element, enrolledAt }: PaymentElement): boolean =>
      element.endsWith(texted.lastFour) && enrolledAt.getTime() === texted.enrolledAt;
    return { isUsed, codeHash, lastFour: texted.lastFour };
  };
  return attempt(context, bearer, row, { method: 'text', check, refusal: codeWrong() });
}

export const codeWrong = (): ServiceError => new Refusal(401, 'code_wrong', confirmationTexts.codeWrong);

/** A proof that is being checked. */
interface Attempt {
  readonly method: ConfirmationMethod;
  /** `null` for a failure; an error does not count. */
  readonly check: () => Promise<Decision | null>;
  readonly refusal: ServiceError;
}

interface Decision {
  /** Whether it is the passkey that signed, or the phone to which the code was sent. */
  readonly isUsed: (element: PaymentElement) => boolean;
  readonly proof?: PasskeyProof;
  /** Of the phone. */
  readonly lastFour?: string;
  /** Of the code that was right. A new code may have replaced it. */
  readonly codeHash?: string;
  /** Records the use of the key. @returns `false` if that is refused. */
  readonly use?: (trx: InTransaction<PaymentContext>['db']) => Promise<boolean>;
}

/**
 * Checks a proof, unless its method is blocked.
 *
 * @throws ServiceError as `underMethodBlock` and `checkOnce`; the refusal is recorded.
 */
async function attempt(
  context: PaymentContext,
  bearer: Bearer,
  row: ConfirmationRow,
  given: Attempt,
): Answered {
  const { method } = given;
  const facts = factsOf(row, { sessionId: bearer.sessionId, method });
  const entry = { event: paymentEvents['payment-confirmed'], ...facts, uid: bearer.uid } as const;
  const told = { told: await requestIn(row), details: facts.details };
  const check = () => recordingRefusal(context, entry, () => checkOnce(context, bearer, row, given));
  return underMethodBlock(context, bearer.uid, method, check, told);
}

/**
 * Counts an attempt before it is checked, so that parallel guesses gain nothing.
 *
 * @throws ServiceError 409 `confirmation_closed`; the refusal.
 */
async function checkOnce(
  context: PaymentContext,
  bearer: Bearer,
  row: ConfirmationRow,
  given: Attempt,
): Answered {
  const { method, check, refusal } = given;
  await countAttempt(context, row, 1);
  let decision: Decision | null;
  try {
    decision = await check();
  } catch (error) {
    await countAttempt(context, row, -1);
    throw error;
  }
  try {
    if (decision !== null) return await confirm(context, bearer, row, given, decision);
  } catch (error) {
    // The key was removed or copied, or a new code has replaced the right one: these count too.
    if (error instanceof ServiceError) await endAfterLast(context, bearer, row, method);
    else await countAttempt(context, row, -1);
    throw error;
  }
  await endAfterLast(context, bearer, row, method);
  throw refusal;
}

/** The payment, for mails about an attempt. */
async function requestIn(row: ConfirmationRow): Promise<Text> {
  const { amount, payee } = detailsOf(row);
  return confirmationTexts.askedFor(row.client_name, amount, await harmless(payee.name));
}

/** @throws ServiceError 409 if there are no more attempts. */
async function countAttempt({ db }: PaymentContext, { id }: ConfirmationRow, added: 1 | -1): Promise<void> {
  const { numUpdatedRows } = await paymentTables(db)
    .updateTable('confirmations')
    .set((eb) => ({ failures: eb('failures', '+', added) }))
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('failures', '<=', mostFailures - added)
    .executeTakeFirst();
  if (numUpdatedRows === 0n && added === 1) throw confirmationClosed();
}

async function endAfterLast(
  context: PaymentContext,
  { sessionId }: Bearer,
  row: ConfirmationRow,
  method: ConfirmationMethod,
): Promise<void> {
  const told = await requestIn(row);
  await inTransaction(context.db, (trx) =>
    endConfirmation({ ...context, db: trx }, row, {
      ...{ state: 'failed', at: new Date(context.settings.now()), sessionId, method, told },
      onlyIf: (is) => is('failures', '>=', mostFailures),
    }),
  );
}

async function confirm(
  context: PaymentContext,
  bearer: Bearer,
  row: ConfirmationRow,
  { method, refusal }: Pick<Attempt, 'method' | 'refusal'>,
  { isUsed, proof, codeHash, lastFour, use }: Decision,
): Answered {
  const { sessionId, uid } = bearer;
  const state = await withUserLocked(context.db, uid, async (trx) => {
    // It may have been removed, replaced or denied in the meantime.
    const own = { ...context, db: trx };
    const element = (await confirmingElements(own, uid, method)).find(isUsed);
    if (element === undefined) throw refusal;
    const { at: provedAt, amr } = await authenticationOf(own, row, bearer);
    const claims = {
      method,
      auth_time: Math.floor(provedAt / 1000),
      ...{ acr: acrOf(levelOf({ amr })), amr },
      enrolled_at: Math.floor(element.enrolledAt.getTime() / 1000),
    };
    // The time may have run out since the proof began.
    const at = new Date(context.settings.now());
    const isConfirmed = await endConfirmation(own, row, {
      ...{ state: 'confirmed', at, sessionId, method, lastFour },
      proof: { claims, kept: { method, proof: proof && JSON.stringify(proof) } },
      onlyIf: (is) =>
        is.and([
          is('expires_at', '>', at),
          ...(codeHash === undefined ? [] : [is('code_hash', '=', codeHash)]),
        ]),
    });
    if (!isConfirmed) throw confirmationClosed();
    if ((await use?.(trx)) === false) throw refusal;
    return 'confirmed' as const;
  });
  if (state === null) throw unknownConfirmation();
  return { state };
}

/** `POST …/decline`. @throws ServiceError as `findOpen`. */
export async function decline(context: PaymentContext, bearer: Bearer, id: string): Answered {
  const row = await findOpen(context, bearer, id);
  const at = new Date(context.settings.now());
  const isDeclined = await inTransaction(context.db, (trx) =>
    endConfirmation({ ...context, db: trx }, row, {
      ...{ state: 'declined', at, sessionId: bearer.sessionId },
      onlyIf: (is) => is('expires_at', '>', at),
    }),
  );
  if (!isDeclined) throw confirmationClosed();
  return { state: 'declined' };
}
