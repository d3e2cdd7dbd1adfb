import { decodeProtectedHeader } from 'jose';
import type { Expression, ExpressionBuilder, SqlBool, Updateable } from 'kysely';
import type { ConfirmationMethod } from '@vestibule/contract/schema';
import type { AuditEntry } from '../core/audit/audit.ts';
import { repeat } from '../platform/background.ts';
import { inTransaction, onceCommitted } from '../platform/database/transaction.ts';
import { postUntilAccepted } from '../platform/outbox/httpPost.ts';
import type { InTransaction, Post } from '../core/context.ts';
import type { WorkTools } from '../capability.ts';
import { paymentEvents } from './events.ts';
import type { PaymentContext } from './settings.ts';
import { paymentTables, type PaymentTables } from './tables.ts';
import { detailsOf } from './details.ts';
import type { ConfirmationRow } from './tables.ts';

/** The signed end of a confirmation, for the server of its application. */
export interface PostedEvent {
  readonly clientId: string;
  /** A JWS. */
  readonly event: string;
}

export const receiptType = 'confirmation+jwt';
export const eventType = 'confirmation-event+jwt';
/** How often a process ends the confirmations that have expired. */
const sweepMilliseconds = 5_000;
/** Confirmations that are read at once. */
const batch = 100;

/** What the audit log says of an event of a confirmation. */
interface PaymentFacts {
  /** Absent: of the confirmation. */
  readonly sessionId?: string;
  readonly method?: ConfirmationMethod | undefined;
  /** The last digits of the phone to which a code was sent. */
  readonly lastFour?: string | undefined;
}

/** The entry of the audit log without its event, which names neither the payee nor the amount. */
export const factsOf = (
  { id, client_id: client, uid, pseudonym }: Pick<ConfirmationRow, 'id' | 'client_id' | 'uid' | 'pseudonym'>,
  { sessionId, method, lastFour }: PaymentFacts = {},
) =>
  ({
    uid: uid ?? pseudonym,
    method,
    details: {
      confirmation: id,
      client,
      ...(sessionId === undefined ? {} : { session: sessionId }),
      ...(lastFour === undefined ? {} : { lastFour }),
    },
  }) satisfies Partial<AuditEntry>;

/** How a confirmation ends. */
interface Ending extends PaymentFacts {
  readonly state: Exclude<ConfirmationRow['state'], 'open'>;
  readonly at: Date;
  /** A condition besides being open. */
  readonly onlyIf: (is: ExpressionBuilder<PaymentTables, 'confirmations'>) => Expression<SqlBool>;
  /** What the receipt says of the proof, and what is kept with it; of a confirmed payment. */
  readonly proof?: { readonly claims: object; readonly kept: Updateable<PaymentTables['confirmations']> };
  /** A sentence for the notice about the end. */
  readonly told?: AuditEntry['told'];
}

/**
 * Ends an open confirmation: signs the end, records it, and writes the message to its application, all in one transaction.
 *
 * @returns `false`, without a change, if it is not open any more or `onlyIf` does not hold.
 */
export async function endConfirmation(
  context: InTransaction<PaymentContext>,
  row: ConfirmationRow,
  { state, at, onlyIf, proof, told, ...facts }: Ending,
): Promise<boolean> {
  const { db, audit, messages, clients } = context;
  const event = signed(context, eventType, row, at, { state });
  const receipt = proof && signed(context, receiptType, row, at, proof.claims);
  const { numUpdatedRows } = await paymentTables(db)
    .updateTable('confirmations')
    .set({
      ...{ state, decided_at: inSeconds(at), code_hash: null, ...proof?.kept },
      ...(receipt === undefined ? { event: event.jws } : { receipt: receipt.jws }),
      receipt_key: (receipt ?? event).key,
    })
    .where('id', '=', row.id)
    .where('state', '=', 'open')
    .where(onlyIf)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const entry = {
    event: paymentEvents[`payment-${state}`],
    outcome: 'success',
    ...factsOf(row, facts),
  } as const;
  await audit.record(db, { ...entry, ...(told && { told }) });
  const receiver = (await clients.find(row.client_id, db))?.confirmationUri;
  if (receiver === undefined) return true;
  const content = { clientId: row.client_id, event: event.jws };
  const message = await messages.write(db, { channel: eventPost, kind: eventPost.name, receiver, content });
  onceCommitted(db, () => {
    messages.sendSoon(message);
  });
  return true;
}

/** Signs what the user saw, with the time of the end. */
function signed(
  { tokens, keys }: PaymentContext,
  type: string,
  row: ConfirmationRow,
  at: Date,
  more: object,
): { readonly jws: string; readonly key: string } {
  const { id, client, uid, ...payment } = detailsOf(row);
  const iat = inSeconds(at).getTime() / 1000;
  const claims = { iat, aud: client, sub: uid, jti: id, ...payment, application: row.client_name, ...more };
  const jws = tokens.sign(type, claims, null);
  const { kid } = decodeProtectedHeader(jws);
  return { jws, key: JSON.stringify(keys.publicKeys().keys.find((one) => one.kid === kid)) };
}

/** A receipt has whole seconds. */
const inSeconds = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000);

/**
 * Ends confirmations that have expired. The end is stored, because the clock of another process may be behind. Several processes may try at
 * once.
 *
 * @param id only this one.
 */
export async function endExpired(context: PaymentContext, id?: string): Promise<void> {
  const now = new Date(context.settings.now());
  for (;;) {
    let query = paymentTables(context.db)
      .selectFrom('confirmations')
      .selectAll()
      .where('state', '=', 'open')
      .where('expires_at', '<=', now);
    if (id !== undefined) query = query.where('id', '=', id);
    const rows = await query.orderBy('expires_at').limit(batch).execute();
    for (const row of rows)
      await inTransaction(context.db, (trx) =>
        endConfirmation({ ...context, db: trx }, row, {
          ...{ state: 'expired', at: row.expires_at },
          onlyIf: (is) => is('expires_at', '<=', now),
        }),
      );
    if (rows.length < batch) return;
  }
}

/** Ends expired confirmations also if nobody reads them. @returns stops it. */
export function watchExpiry(
  context: PaymentContext,
  { onFailure }: Pick<WorkTools, 'onFailure'>,
): Promise<() => Promise<void>> {
  const stop = repeat(
    {
      ...{ name: 'expired confirmations', everyMilliseconds: sweepMilliseconds, startsNow: false },
      ...{ logger: context.settings.logger, onFailure },
    },
    () => endExpired(context),
  );
  return Promise.resolve(stop);
}

/** Posts an event to the server of its application. */
export const eventPost: Post<PostedEvent> = {
  name: 'confirmation-event',
  handle: async ({ clients }, { clientId, event }) => {
    const address = (await clients.find(clientId))?.confirmationUri;
    if (address !== undefined) await postUntilAccepted(address, { event });
  },
};
