import type { ActivityEvent } from '@vestibule/contract/schema';
import type { AuditRow } from '../core/database/tables.ts';
import type { PaymentContext } from './settings.ts';
import { paymentTables } from './tables.ts';
import { detailsOf } from './details.ts';

/** The payments of entries of the audit log, by the id of the entry. The log itself has neither amount nor payee. */
export async function showPayments(
  { db }: PaymentContext,
  entries: readonly AuditRow[],
): Promise<Readonly<Record<string, Pick<ActivityEvent, 'payment'>>>> {
  const ids = entries.flatMap(({ details }) => details?.['confirmation'] ?? []);
  if (ids.length === 0) return {};
  const rows = await paymentTables(db)
    .selectFrom('confirmations')
    .select(['id', 'uid', 'client_name', 'details'])
    .where('id', 'in', ids)
    .execute();
  const payments = new Map(
    rows.map((row) => {
      const { amount, payee } = detailsOf(row);
      return [`${row.uid ?? ''} ${row.id}`, { application: { name: row.client_name }, amount, payee }];
    }),
  );
  return Object.fromEntries(
    entries.flatMap(({ id, uid, details }) => {
      const payment = payments.get(`${uid ?? ''} ${details?.['confirmation'] ?? ''}`);
      return payment === undefined ? [] : [[id, { payment }]];
    }),
  );
}
