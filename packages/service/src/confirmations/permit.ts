import { createHash, randomBytes } from 'node:crypto';
import type {
  ConfirmationTextResponse,
  DoneResponse,
  PasskeyRequestOptions,
  PaymentElementRequest,
  PaymentElementsResponse,
  PermitByCodeRequest,
  PermitByPasskeyRequest,
} from '@vestibule/contract/schema';
import { withUserLocked } from '../accounts/lockUser.ts';
import { newTextCode, sendTextCode } from '../mfa/textCode.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { sessionEnded } from '../core/errors.ts';
import { Refusal, type ServiceError } from '../platform/errors.ts';
import { recordingRefusal } from '../core/audit/refusals.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import { spend } from '../core/spentProofs.ts';
import type { InTransaction } from '../core/context.ts';
import { expectOpenSession } from '../session/openSession.ts';
import type { PaymentContext } from './settings.ts';
import { paymentTables } from './tables.ts';
import { paymentEvents } from './events.ts';
import { codeWrong, passkeyRefused } from './decide.ts';
import { confirmationTexts } from './confirmations.messages.ts';
import { expectNoBlock, underMethodBlock } from './methodBlock.ts';
import { countPaymentText } from './textMessage.ts';
import { confirmingElements, confirmsAt, elementsOf, type PaymentElement } from './elements.ts';

type Bearer = Pick<SessionBearer, 'uid' | 'sessionId'>;

const challengeType = 'payment-element-challenge+jwt';
/** How long a challenge or a code can be used, ms. */
const lifeMs = 300_000;

/** `GET /auth/v1/payment-elements`. */
export async function listWaiting(
  context: PaymentContext,
  { uid }: Bearer,
): Promise<PaymentElementsResponse> {
  const now = context.settings.now();
  const elements = await elementsOf(context, uid);
  const confirming = elements.filter((one) => confirmsAt(one, now));
  const phone = confirming.find(({ method }) => method === 'text');
  return {
    elements: elements.flatMap((one) =>
      confirmsAt(one, now)
        ? []
        : {
            method: one.method,
            id: one.method === 'passkey' ? one.element : null,
            name: one.name,
            confirmsFrom: one.from?.toISOString() ?? null,
            needsSignIn: one.needsUse,
          },
    ),
    methods: (['passkey', 'text'] as const).filter((method) =>
      confirming.some((one) => one.method === method),
    ),
    lastFourPhone: phone?.element.slice(-4) ?? null,
  };
}

/** @throws ServiceError 404 unless it is a passkey that waits. */
async function checkWaits(context: PaymentContext, { uid }: Bearer, id: string): Promise<void> {
  const now = context.settings.now();
  const waits = (await elementsOf(context, uid)).some(
    ({ method, element, from }) =>
      method === 'passkey' && element === id && (from === null || from.getTime() > now),
  );
  if (!waits) throw unknown();
}

const unknown = (): ServiceError => new Refusal(404, 'not_found', confirmationTexts.unknownPasskey);

/** `POST …/passkey/options`. @throws ServiceError 404; as `expectNoBlock`; 401 `passkey_refused` without a passkey that confirms. */
export async function startPermission(
  context: PaymentContext,
  bearer: Bearer,
  { id }: PaymentElementRequest,
): Promise<PasskeyRequestOptions> {
  const { settings, slots, tokens } = context;
  await checkWaits(context, bearer, id);
  await expectNoBlock(context, bearer.uid, 'passkey');
  const ids = (await confirmingElements(context, bearer.uid, 'passkey')).map(({ element }) => element);
  const options = await slots.signatures?.optionsFor(context, bearer.uid, ids);
  if (options === undefined || ids.length === 0) throw passkeyRefused();
  const nonce = randomBytes(32).toString('base64url');
  const expiresAt = new Date(settings.now() + lifeMs);
  return {
    challengeToken: tokens.sign(challengeType, { id, uid: bearer.uid, nonce }, expiresAt),
    publicKey: { ...options, challenge: challengeOf(id, nonce), timeout: lifeMs },
  };
}

/** The challenge of a permission: SHA-256, base64url. It is never that of a payment. */
const challengeOf = (id: string, nonce: string): string =>
  createHash('sha256')
    .update(`permit ${id} `, 'utf8')
    .update(Buffer.from(nonce, 'base64url'))
    .digest('base64url');

/** `POST …/passkey`. @throws ServiceError 404; 401 `passkey_refused`; as `underMethodBlock`. */
export const permitByPasskey = (
  context: PaymentContext,
  bearer: Bearer,
  request: PermitByPasskeyRequest,
): Promise<DoneResponse> => attempt(context, bearer, 'passkey', () => usePasskey(context, bearer, request));

/** Failures count as those of payments, and are recorded. */
const attempt = <Result>(
  context: PaymentContext,
  { uid }: Bearer,
  method: PaymentElement['method'],
  check: () => Promise<Result>,
): Promise<Result> =>
  underMethodBlock(context, uid, method, () =>
    recordingRefusal(context, { event: paymentEvents['payment-element-permitted'], method, uid }, check),
  );

async function usePasskey(
  context: PaymentContext,
  bearer: Bearer,
  { id, challengeToken, credential }: PermitByPasskeyRequest,
): Promise<DoneResponse> {
  const { db, settings, slots, tokens } = context;
  await checkWaits(context, bearer, id);
  const claims = await tokens.read(challengeType, challengeToken);
  const nonce = claims?.['nonce'];
  const until = new Date(settings.now() + lifeMs);
  const isMeant = claims?.['id'] === id && claims['uid'] === bearer.uid && typeof nonce === 'string';
  if (!isMeant || !(await spend(db, 'permission', nonce, until))) throw passkeyRefused();
  const challenge = challengeOf(id, nonce);
  const signature = await slots.signatures?.verify(context, bearer.uid, challenge, credential, [
    'webauthn.get',
  ]);
  if (signature === undefined || signature === null) throw passkeyRefused();
  const by = { method: 'passkey', element: credential.id } as const;
  await permit(context, bearer, id, by, async (trx) => {
    if (!(await signature.use(trx))) throw passkeyRefused();
  });
  return {};
}

/** `POST …/text`. @throws ServiceError 404, also without a phone that confirms; as `expectNoBlock`, `countPaymentText`, `sendTextCode`. */
export async function textPermission(
  context: PaymentContext,
  bearer: Bearer,
  { id }: PaymentElementRequest,
): Promise<ConfirmationTextResponse> {
  const { uid } = bearer;
  await checkWaits(context, bearer, id);
  await expectNoBlock(context, uid, 'text');
  const phone = (await confirmingElements(context, uid, 'text'))[0]?.element;
  if (phone === undefined) throw new Refusal(404, 'not_found', confirmationTexts.noPhone);
  await countPaymentText(context, uid);
  const { code, hash } = await newTextCode(context);
  const expiresAt = new Date(context.settings.now() + lifeMs);
  const message = await inTransaction(context.db, async (trx) => {
    const { numUpdatedRows } = await paymentTables(trx)
      .updateTable('payment_elements')
      .set({ code_hash: hash, code_phone: phone, code_expires_at: expiresAt })
      .where('uid', '=', uid)
      .where('element', '=', id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw unknown();
    return context.messages.write(trx, {
      channel: 'text',
      kind: 'code',
      uid,
      topic: `permission:${uid}`,
      expiresAt,
      content: { to: phone, text: confirmationTexts.permission(code), suffix: '' },
    });
  });
  await sendTextCode(context, message);
  return { lastFourPhone: phone.slice(-4) };
}

/** `POST …/code`. @throws ServiceError 404; 401 `code_wrong`; as `underMethodBlock`. */
export const permitByCode = (
  context: PaymentContext,
  bearer: Bearer,
  request: PermitByCodeRequest,
): Promise<DoneResponse> => attempt(context, bearer, 'text', () => useCode(context, bearer, request));

async function useCode(
  context: PaymentContext,
  bearer: Bearer,
  { id, code }: PermitByCodeRequest,
): Promise<DoneResponse> {
  const { db, settings, passwords } = context;
  await checkWaits(context, bearer, id);
  const sent = await paymentTables(db)
    .selectFrom('payment_elements')
    .select(['code_hash', 'code_phone'])
    .where('uid', '=', bearer.uid)
    .where('element', '=', id)
    .where('code_expires_at', '>', new Date(settings.now()))
    .executeTakeFirst();
  const { code_hash: hash = null, code_phone: phone = null } = sent ?? {};
  const match = await passwords.inTurn((own) => own.matches(hash, code));
  if (hash === null || phone === null || match === null) throw codeWrong();
  await permit(context, bearer, id, { method: 'text', element: phone }, async (trx) => {
    const used = paymentTables(trx)
      .updateTable('payment_elements')
      .set({ code_hash: null })
      .where('code_hash', '=', hash);
    const { numUpdatedRows } = await used
      .where('uid', '=', bearer.uid)
      .where('element', '=', id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw codeWrong();
  });
  return {};
}

/**
 * Lets a passkey confirm payments from now on.
 *
 * @param by the element of the proof, which must still confirm payments.
 * @param use uses the proof up.
 */
async function permit(
  context: PaymentContext,
  bearer: Bearer,
  id: string,
  by: Pick<PaymentElement, 'method' | 'element'>,
  use: (trx: InTransaction<PaymentContext>['db']) => Promise<void>,
): Promise<void> {
  const { uid } = bearer;
  const done = await withUserLocked(context.db, uid, async (trx) => {
    await expectOpenSession(trx, bearer);
    await use(trx);
    const own = { ...context, db: trx };
    const confirming = await confirmingElements(own, uid, by.method);
    if (!confirming.some(({ element }) => element === by.element))
      throw by.method === 'text' ? codeWrong() : passkeyRefused();
    // It may have been removed in the meantime.
    await checkWaits(own, bearer, id);
    const { numUpdatedRows } = await paymentTables(trx)
      .updateTable('payment_elements')
      .set({ permitted_at: new Date(context.settings.now()) })
      .where('uid', '=', uid)
      .where('element', '=', id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw unknown();
    const entry = {
      event: paymentEvents['payment-element-permitted'],
      outcome: 'success',
      uid,
      method: by.method,
    } as const;
    await context.audit.record(trx, entry);
    return true;
  });
  if (done === null) throw sessionEnded('unauthorized');
}
