import type { ConfirmationMethod, ConfirmationResponse } from '@vestibule/contract/schema';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { databaseTime } from '../platform/database/databaseTime.ts';
import type { AuditEntry } from '../core/audit/audit.ts';
import type { Tables } from '../core/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { ServiceError } from '../platform/errors.ts';
import type { PaymentContext } from './settings.ts';
import { paymentTables } from './tables.ts';
import { paymentEvents } from './events.ts';
import { confirmationTexts } from './confirmations.messages.ts';

/** Failures in a row that block a method. */
const mostFailures = 5;
/** How long the first block lasts, the second one, and each further one, in ms. */
const [firstBlockMs, secondBlockMs, longestBlockMs] = [900_000, 3_600_000, 86_400_000];
/** After this time without an attempt or a block, failures and blocks are forgotten, in ms. */
const forgottenMs = 86_400_000;
/** The refusals that are failures. */
const failureCodes: readonly string[] = ['code_wrong', 'passkey_refused'];

/**
 * Checks a proof by a method, unless failures have blocked the method for this user. The attempt is counted before it is checked, and
 * the fifth one in a row blocks the method at once, so that parallel guesses, also in several processes, gain nothing. A success resets
 * the count. An error that is not a refusal of the proof does not count.
 *
 * @param check throws `code_wrong` or `passkey_refused` for a failure.
 * @param entry what the audit log and the mail to the user say of the attempt that blocks the method.
 * @throws ServiceError 429 `method_blocked`; what `check` throws.
 */
export async function underMethodBlock<Result>(
  context: PaymentContext,
  uid: string,
  method: ConfirmationMethod,
  check: () => Promise<Result>,
  entry: Pick<AuditEntry, 'told' | 'details'> = {},
): Promise<Result> {
  const { db } = context;
  const blockedUntil = await countAttempt(context, uid, method);
  let result: Result;
  try {
    result = await check();
  } catch (error) {
    const isFailure = error instanceof ServiceError && failureCodes.includes(error.code);
    if (!isFailure) await takeBack(db, uid, method);
    else if (blockedUntil !== null)
      await tellOwner(context, blockedUntil, {
        ...entry,
        ...{ event: paymentEvents['payment-method-blocked'], outcome: 'success', uid, method },
      });
    throw error;
  }
  await paymentTables(db)
    .deleteFrom('payment_failures')
    .where('uid', '=', uid)
    .where('method', '=', method)
    .execute();
  return result;
}

/** @throws ServiceError 429 `method_blocked`. */
export async function expectNoBlock(
  context: PaymentContext,
  uid: string,
  method: ConfirmationMethod,
): Promise<void> {
  const until = (await blocksOf(context, uid)).get(method);
  if (until !== undefined) throw methodBlocked(context, until);
}

/** Those of the methods that are not blocked; if all are, when the first block ends. */
export async function withoutBlocked(
  context: PaymentContext,
  uid: string,
  methods: readonly ConfirmationMethod[],
): Promise<Pick<ConfirmationResponse, 'methods' | 'blockedUntil'>> {
  const blocks = await blocksOf(context, uid);
  const free = methods.filter((method) => !blocks.has(method));
  const ends = methods.flatMap((method) => blocks.get(method)?.getTime() ?? []);
  const isBlocked = free.length === 0 && ends.length > 0;
  return { methods: free, blockedUntil: isBlocked ? new Date(Math.min(...ends)).toISOString() : null };
}

/** Removes forgotten failures. */
export async function forgetFailures({ db, settings }: PaymentContext): Promise<void> {
  await paymentTables(db)
    .deleteFrom('payment_failures')
    .where(isForgotten(databaseTime(settings.now, forgottenMs)))
    .execute();
}

/** The ends of the blocks, by method. */
async function blocksOf({ db, settings }: PaymentContext, uid: string): Promise<ReadonlyMap<string, Date>> {
  const rows = await paymentTables(db)
    .selectFrom('payment_failures')
    .select(['method', 'blocked_until'])
    .where('uid', '=', uid)
    .where('blocked_until', '>', new Date(settings.now()))
    .execute();
  return new Map(rows.flatMap(({ method, blocked_until: end }) => (end === null ? [] : [[method, end]])));
}

const methodBlocked = ({ settings }: PaymentContext, until: Date): ServiceError =>
  new ServiceError(
    429,
    'method_blocked',
    confirmationTexts.methodBlocked,
    Math.max(1, Math.ceil((until.getTime() - settings.now()) / 1000)),
  );

const isForgotten = (since: Date | RawBuilder<Date>): RawBuilder<boolean> =>
  sql<boolean>`greatest(payment_failures.counted_at, payment_failures.blocked_until) <= ${since}`;

/**
 * @returns the end of the block that this attempt causes; `null` for none.
 * @throws ServiceError 429 `method_blocked`.
 */
async function countAttempt(
  context: PaymentContext,
  uid: string,
  method: ConfirmationMethod,
): Promise<Date | null> {
  return inTransaction(context.db, async (trx) => {
    const now = context.settings.now();
    const row = { uid, method, failures: 0, blocks: 0, blocked_until: null, counted_at: new Date(now) };
    await paymentTables(trx)
      .insertInto('payment_failures')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['uid', 'method'])
          .doUpdateSet(row)
          .where(isForgotten(new Date(now - forgottenMs))),
      )
      .execute();
    const { failures, blocks, blocked_until } = await paymentTables(trx)
      .selectFrom('payment_failures')
      .select(['failures', 'blocks', 'blocked_until'])
      .where('uid', '=', uid)
      .where('method', '=', method)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (blocked_until !== null && blocked_until.getTime() > now) throw methodBlocked(context, blocked_until);
    // After a block, counting begins again.
    const counted = blocked_until === null ? failures + 1 : 1;
    const lasts = [firstBlockMs, secondBlockMs][blocks] ?? longestBlockMs;
    const end = counted < mostFailures ? null : new Date(now + lasts);
    await paymentTables(trx)
      .updateTable('payment_failures')
      .set({ failures: counted, blocks: end === null ? blocks : blocks + 1, blocked_until: end })
      .set({ counted_at: new Date(now) })
      .where('uid', '=', uid)
      .where('method', '=', method)
      .execute();
    return end;
  });
}

/** Takes back an attempt that was not a failure, and the block that it caused. */
async function takeBack(db: Kysely<Tables>, uid: string, method: ConfirmationMethod): Promise<void> {
  await paymentTables(db)
    .updateTable('payment_failures')
    .set({
      failures: sql<number>`greatest(failures - 1, 0)`,
      blocks: sql<number>`case when blocked_until is null then blocks else blocks - 1 end`,
      blocked_until: null,
    })
    .where('uid', '=', uid)
    .where('method', '=', method)
    .execute();
}

/** Records the block, unless another attempt has ended it meanwhile. */
async function tellOwner(
  { db, audit }: PaymentContext,
  blockedUntil: Date,
  entry: AuditEntry & { readonly uid: string; readonly method: ConfirmationMethod },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const row = await paymentTables(trx)
      .selectFrom('payment_failures')
      .select('uid')
      .where('uid', '=', entry.uid)
      .where('method', '=', entry.method)
      .where('blocked_until', '=', blockedUntil)
      .executeTakeFirst();
    if (row !== undefined) await audit.record(trx, entry);
  });
}
