import type { Kysely } from 'kysely';
import type { Tables } from '../core/database/tables.ts';
import type { AddedElement, Hooks, InTransaction } from '../core/context.ts';
import type { PaymentContext } from './settings.ts';
import { paymentTables } from './tables.ts';

/** A passkey or a phone of a user, and whether it confirms payments. */
export interface PaymentElement {
  readonly method: 'passkey' | 'text';
  /** The id of the passkey, or the phone in E.164. */
  readonly element: string;
  /** The name of the passkey; `null` for a phone. */
  readonly name: string | null;
  readonly enrolledAt: Date;
  /** From when it confirms payments; `null`: time alone does not permit it, because no mail tells the owner about it. */
  readonly from: Date | null;
  /** Whether it is a passkey that the browser made without verifying the user, and that was not used yet. */
  readonly needsUse: boolean;
}

/** While the mail about an element was not sent, it confirms payments no earlier than after this time, ms. */
const mailDelayMs = 300_000;

/**
 * The passkeys and the phone of a user, without those that the owner has denied. One that was added by an element that confirmed
 * payments, or by an operator with a new account, confirms payments at once. Any other one confirms them after
 * `confirmationEnrolmentHours`; if the user has added it, a mail about it must have been sent too (RTS, articles 22 to 24).
 */
export async function elementsOf(context: PaymentContext, uid: string): Promise<readonly PaymentElement[]> {
  const { db, settings, slots } = context;
  const keys = (await slots.signatures?.keysOf(context, uid)) ?? [];
  const phones = await db
    .selectFrom('mfa_factors')
    .select(['phone', 'activated_at'])
    .where('uid', '=', uid)
    .where('phone', 'is not', null)
    .where('activated_at', 'is not', null)
    .execute();
  const rows = await paymentTables(db)
    .selectFrom('payment_elements')
    .selectAll()
    .where('uid', '=', uid)
    .execute();
  const now = settings.now();
  const waitMs = settings.confirmationEnrolmentHours * 3_600_000;
  const isDenied = (id: string): boolean =>
    rows.some(({ element, denied_at }) => element === id && denied_at !== null);
  const fromOf = (element: string, enrolledAt: Date): Date | null => {
    const row = rows.find((one) => one.element === element);
    // It is older than the table, or there is no mail about it.
    if (row === undefined || row.added_by === 'help-desk') return new Date(enrolledAt.getTime() + waitMs);
    if (row.permitted_at !== null) return row.permitted_at;
    const due = row.added_at.getTime() + waitMs;
    if (row.mailed_at !== null || waitMs === 0) return new Date(due);
    // Without notices there is no mail.
    return slots.notifiers(settings).length === 0 ? null : new Date(Math.max(due, now + mailDelayMs));
  };
  const isUnused = (id: string): boolean =>
    rows.some(({ element, needs_use }) => element === id && needs_use);
  const elements: readonly PaymentElement[] = [
    ...keys.map(({ id, name, addedAt, isUsed }) => ({
      ...{ method: 'passkey' as const, element: id, name, enrolledAt: addedAt },
      from: fromOf(id, addedAt),
      needsUse: !isUsed && isUnused(id),
    })),
    ...phones.flatMap(({ phone, activated_at: enrolledAt }) =>
      phone === null || enrolledAt === null
        ? []
        : {
            ...{ method: 'text' as const, element: phone, name: null, enrolledAt },
            from: fromOf(phone, enrolledAt),
            needsUse: false,
          },
    ),
  ];
  return elements.filter(({ element }) => !isDenied(element));
}

/** Whether an element confirms payments at a time, ms since 1970. */
export const confirmsAt = ({ from, needsUse }: PaymentElement, now: number): boolean =>
  from !== null && from.getTime() <= now && !needsUse;

/** The elements with which a user confirms payments now, of one method or of all. */
export async function confirmingElements(
  context: PaymentContext,
  uid: string,
  method?: PaymentElement['method'],
): Promise<readonly PaymentElement[]> {
  const now = context.settings.now();
  const elements = await elementsOf(context, uid);
  return elements.filter((one) => (method ?? one.method) === one.method && confirmsAt(one, now));
}

/** Notes how elements were added. It must run before they are added. */
export async function noteElements(
  context: InTransaction<PaymentContext>,
  added: readonly AddedElement[],
): Promise<void> {
  const now = new Date(context.settings.now());
  const rows = [];
  for (const { uid, element, proof, isUnverified = false } of added) {
    // A user who enrols the same phone again has proved it by its code.
    const proving = [proof.element, element];
    const isPermitted =
      proof.method === 'operator' ||
      (await confirmingElements(context, uid)).some((one) => proving.includes(one.element));
    rows.push({
      ...{ uid, element, added_at: now, added_by: proof.method, permitted_at: isPermitted ? now : null },
      ...{ mailed_at: null, denied_at: null, needs_use: isUnverified },
      ...{ code_hash: null, code_phone: null, code_expires_at: null },
    });
  }
  await paymentTables(context.db)
    .insertInto('payment_elements')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['uid', 'element']).doUpdateSet((eb) => ({
        added_at: eb.ref('excluded.added_at'),
        added_by: eb.ref('excluded.added_by'),
        permitted_at: eb.ref('excluded.permitted_at'),
        mailed_at: null,
        denied_at: null,
        needs_use: eb.ref('excluded.needs_use'),
        code_hash: null,
      })),
    )
    .execute();
}

/** Notes that the mail about an element was sent. */
export const noteMail: Hooks<PaymentContext>['mailSent'] = async ({ db, settings }, uid, about) => {
  await paymentTables(db)
    .updateTable('payment_elements')
    .set({ mailed_at: new Date(settings.now()) })
    .where('uid', '=', uid)
    .where('element', '=', about)
    .execute();
};

/** How much earlier than its notice an element may have been added, because the clocks of processes differ, ms. */
const clockToleranceMs = 10_000;

/** What a user has added since a denied event never confirms payments, unless it is added again. */
export async function denyElementsSince(
  { db }: { readonly db: Kysely<Tables> },
  uid: string,
  since: Date,
): Promise<void> {
  await paymentTables(db)
    .updateTable('payment_elements')
    .set({ denied_at: since })
    .where('uid', '=', uid)
    .where('added_at', '>=', new Date(since.getTime() - clockToleranceMs))
    .where('added_by', 'not in', ['operator', 'help-desk'])
    .execute();
}

/** From when each passkey whose time has not come confirms payments, ISO 8601. */
export const confirmsFrom: Hooks<PaymentContext>['keyAttributes'] = async (context, uid) => {
  const now = context.settings.now();
  return Object.fromEntries(
    (await elementsOf(context, uid)).flatMap(({ element, from }) =>
      from === null || from.getTime() <= now ? [] : [[element, { confirmsFrom: from.toISOString() }]],
    ),
  );
};
