import type { UserRow } from '../core/database/tables.ts';
import type { Client } from '../core/clients/clients.ts';
import { Refusal, type ServiceError, type FieldFault } from '../platform/errors.ts';
import type { PaymentContext } from './settings.ts';
import { confirmationTexts } from './confirmations.messages.ts';
import type { ConfirmationRow } from './tables.ts';

const forbidden = (fault: FieldFault): ServiceError =>
  new Refusal(403, 'forbidden', confirmationTexts.notPermitted, undefined, [fault]);

/** @throws ServiceError 403 `forbidden` for a client that may not have payments confirmed. */
export function expectPermitted({ confirmations }: Client): void {
  if (!confirmations) throw forbidden({ detail: 'the client is registered without `confirmations`' });
}

/** @throws ServiceError 403 `forbidden` for a payer without the persona that the client requires. */
export function expectPersona(client: Client, user: Pick<UserRow, 'personas'>): void {
  if (!hasPersona(client, user))
    throw forbidden({ field: 'uid', detail: 'is of a user without the persona that the client requires' });
}

const hasPersona = ({ persona }: Client, { personas }: Pick<UserRow, 'personas'>): boolean =>
  persona === undefined || Object.hasOwn(personas, persona);

/** Whether the client could still ask the payer for the payment. */
export async function isStillPermitted(
  { db, clients }: PaymentContext,
  { client_id, uid }: Pick<ConfirmationRow, 'client_id' | 'uid'>,
): Promise<boolean> {
  const client = await clients.find(client_id);
  if (client?.confirmations !== true) return false;
  if (client.persona === undefined) return true;
  const user = await db.selectFrom('users').select('personas').where('uid', '=', uid).executeTakeFirst();
  return user !== undefined && hasPersona(client, user);
}
