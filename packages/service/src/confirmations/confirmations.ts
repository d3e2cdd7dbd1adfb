import type {
  ConfirmationReceiptResponse,
  ConfirmationRequest,
  ConfirmationResponse,
  NewConfirmationResponse,
} from '@vestibule/contract/schema';
import type { SelectQueryBuilder } from 'kysely';
import { findByUid } from '../accounts/accounts.ts';
import type { Tables } from '../core/database/tables.ts';
import type { Client } from '../core/clients/clients.ts';
import { Refusal, rateLimited, requestRefused, ServiceError } from '../platform/errors.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { digestOf } from '../core/limits/attemptKeys.ts';
import { countMessage } from '../core/limits/messageCounts.ts';
import { hashOfToken, newShortId } from '../platform/security/opaqueTokens.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import type { PaymentContext } from './settings.ts';
import { paymentTables, type PaymentTables } from './tables.ts';
import { paymentEvents } from './events.ts';
import { confirmationTexts } from './confirmations.messages.ts';
import { canonicalDetails, detailsOf, type Details } from './details.ts';
import { confirmsAt, elementsOf, type PaymentElement } from './elements.ts';
import { endExpired, factsOf } from './ends.ts';
import { needsIdentity } from './identity.ts';
import { withoutBlocked } from './methodBlock.ts';
import { expectPermitted, expectPersona, isStillPermitted } from './permission.ts';
import { checkedRequest } from './request.ts';
import type { ConfirmationRow } from './tables.ts';

/** How long a key of an application leads to the same confirmation, in ms. */
const keyMs = 86_400_000;
/** Confirmations that one application may ask one user for within ten minutes. */
const limit = { most: 20, windowSeconds: 600 };

/**
 * `POST /auth/v1/confirmations`.
 *
 * @param key the `Idempotency-Key`.
 * @throws ServiceError 400 `invalid_request`, 403 `forbidden`, 404 `not_found`, 409 `idempotency_conflict`, 429 `rate_limited`.
 */
export async function askForConfirmation(
  context: PaymentContext,
  client: Client,
  given: ConfirmationRequest,
  key: unknown,
): Promise<NewConfirmationResponse> {
  expectPermitted(client);
  const { db, settings } = context;
  const request = checkedRequest(given, settings);
  const now = settings.now();
  const requestKey = keyOf(client, key);
  const requestHash = hashOfToken(canonicalDetails({ ...request, id: '', client: client.id }));
  const known = requestKey === null ? undefined : await findByKey(context, requestKey);
  if (known !== undefined) return repeated(context, known, requestHash);
  const account = await findByUid(db, request.uid);
  if (account?.user.disabled_at !== null) throw new Refusal(404, 'not_found', confirmationTexts.unknownUser);
  expectPersona(client, account.user);
  const wait = await countMessage(context, digestOf(`confirmation:${client.id}:${request.uid}`), limit);
  if (wait !== null) throw rateLimited(wait);
  const id = newShortId();
  const { uid, amount, payee, reference, returnUrl = null, lifeSeconds = 300 } = request;
  const { methods, maxAuthAge = null } = request;
  const details: Details = {
    id,
    client: client.id,
    uid,
    amount,
    payee,
    ...(reference === undefined ? {} : { reference }),
  };
  const written = await inTransaction(db, async (trx) => {
    const row = await paymentTables(trx)
      .insertInto('confirmations')
      .values({
        id,
        client_id: client.id,
        client_name: client.name,
        uid,
        details: canonicalDetails(details),
        return_url: returnUrl,
        methods: methods && JSON.stringify(methods),
        max_auth_age: maxAuthAge,
        created_at: new Date(now),
        expires_at: new Date(now + lifeSeconds * 1000),
        state: 'open',
        failures: 0,
        request_key: requestKey,
        request_hash: requestHash,
      })
      .onConflict((conflict) => conflict.column('request_key').doNothing())
      .returning(['id', 'client_id', 'uid', 'pseudonym', 'expires_at', 'state'])
      .executeTakeFirst();
    if (row !== undefined)
      await context.audit.record(trx, {
        event: paymentEvents['payment-asked'],
        outcome: 'success',
        ...factsOf(row),
      });
    return row;
  });
  if (written !== undefined) return responseOf(context, written);
  // The same request came twice at the same time.
  const other = requestKey === null ? undefined : await findByKey(context, requestKey);
  if (other === undefined) throw new Error('A confirmation was not written.');
  return repeated(context, other, requestHash);
}

function keyOf(client: Client, key: unknown): string | null {
  if (key === undefined) return null;
  if (typeof key !== 'string' || key === '' || key.length > 255)
    throw requestRefused(400, [{ field: 'Idempotency-Key', detail: 'must have 1 to 255 characters' }]);
  return hashOfToken(`${client.id} ${key}`);
}

/** The confirmation that the key has made. One of more than a day ago gives its key up. */
async function findByKey(context: PaymentContext, requestKey: string): Promise<ConfirmationRow | undefined> {
  const { db, settings } = context;
  await paymentTables(db)
    .updateTable('confirmations')
    .set({ request_key: null })
    .where('request_key', '=', requestKey)
    .where('created_at', '<=', new Date(settings.now() - keyMs))
    .execute();
  return findPresent(
    context,
    paymentTables(db).selectFrom('confirmations').selectAll().where('request_key', '=', requestKey),
  );
}

function repeated(
  context: PaymentContext,
  row: ConfirmationRow,
  requestHash: string,
): NewConfirmationResponse {
  if (row.request_hash === requestHash) return responseOf(context, row);
  throw new ServiceError(409, 'idempotency_conflict', confirmationTexts.keyUsed);
}

const responseOf = (
  { settings }: PaymentContext,
  { id, expires_at, state }: Pick<ConfirmationRow, 'id' | 'expires_at' | 'state'>,
): NewConfirmationResponse => ({
  id,
  url: `${settings.links.signOnUrl}/confirm/${id}`,
  expiresAt: expires_at.toISOString(),
  state,
});

/** `GET /auth/v1/confirmations/{id}/receipt`. @throws ServiceError 403; 404 for an id that the client did not get. */
export async function readReceipt(
  context: PaymentContext,
  client: Client,
  id: string,
): Promise<ConfirmationReceiptResponse> {
  expectPermitted(client);
  const { state, receipt } = await find(context, id, 'client_id', client.id);
  return { state, receipt };
}

export const unknownConfirmation = (): ServiceError =>
  new Refusal(404, 'not_found', confirmationTexts.unknown);

/** `GET /auth/v1/confirmations/{id}`. @throws ServiceError 404 for an unknown id, and for one of another user. */
export async function readConfirmation(
  context: PaymentContext,
  bearer: SessionBearer,
  id: string,
): Promise<ConfirmationResponse> {
  const { uid } = bearer;
  const row = await findConfirmation(context, uid, id);
  const now = context.settings.now();
  const elements = (await elementsOf(context, uid)).filter(({ method }) => permits(row, method));
  const confirming = elements.filter((one) => confirmsAt(one, now));
  const usable = paymentMethods.filter((method) => confirming.some((one) => one.method === method));
  const waiting = paymentMethods
    .filter((method) => !usable.includes(method))
    .flatMap((method) => waitOf(elements, method, now));
  const phone = confirming.find(({ method }) => method === 'text')?.element;
  const { amount, payee, reference = null } = detailsOf(row);
  return {
    application: { name: row.client_name },
    amount,
    payee,
    reference,
    state: row.state,
    ...(await withoutBlocked(context, uid, usable)),
    waiting,
    needsIdentity: await needsIdentity(context, row, bearer),
    lastFourPhone: phone?.slice(-4) ?? null,
    returnUrl: row.return_url,
    expiresAt: row.expires_at.toISOString(),
  };
}

/** Whether the application accepts the method for this payment. */
export const permits = ({ methods }: Pick<ConfirmationRow, 'methods'>, method: string): boolean =>
  methods === null || methods.some((one) => one === method);

/**
 * @throws ServiceError 404 for an unknown id, for one of another user, and for an open one that could not be asked for any more: the
 * client was removed, or the user has lost the persona.
 */
async function findConfirmation(context: PaymentContext, uid: string, id: string): Promise<ConfirmationRow> {
  const row = await find(context, id, 'uid', uid);
  if (row.state === 'open' && !(await isStillPermitted(context, row))) throw unknownConfirmation();
  return row;
}

/** @throws ServiceError 404; 409 `confirmation_closed` if it is decided or expired. */
export async function findOpen(
  context: PaymentContext,
  { uid }: Pick<SessionBearer, 'uid'>,
  id: string,
): Promise<ConfirmationRow> {
  const row = await findConfirmation(context, uid, id);
  if (row.state !== 'open') throw confirmationClosed();
  return row;
}

export const confirmationClosed = (): ServiceError =>
  new ServiceError(409, 'confirmation_closed', confirmationTexts.closed);

async function find(
  context: PaymentContext,
  id: string,
  column: 'uid' | 'client_id',
  owner: string,
): Promise<ConfirmationRow> {
  const query = paymentTables(context.db).selectFrom('confirmations').selectAll().where('id', '=', id);
  const row = await findPresent(context, query.where(column, '=', owner));
  if (row === undefined) throw unknownConfirmation();
  return row;
}

/** Reads one confirmation, in the state that it has by now. */
async function findPresent(
  context: PaymentContext,
  query: SelectQueryBuilder<Tables & PaymentTables, 'confirmations', ConfirmationRow>,
): Promise<ConfirmationRow | undefined> {
  const row = await query.executeTakeFirst();
  if (row?.state !== 'open' || row.expires_at.getTime() > context.settings.now()) return row;
  await endExpired(context, row.id);
  return query.executeTakeFirst();
}

/** The methods, in the order in which the page offers them. */
const paymentMethods = ['passkey', 'text'] as const;

/** From when a method confirms payments, by the first of its elements that will. */
function waitOf(
  elements: readonly PaymentElement[],
  method: PaymentElement['method'],
  now: number,
): ConfirmationResponse['waiting'] {
  const times = elements
    .filter((one) => one.method === method)
    .flatMap(({ from }) => (from === null || from.getTime() <= now ? [] : from.getTime()));
  return times.length === 0 ? [] : [{ method, from: new Date(Math.min(...times)).toISOString() }];
}
