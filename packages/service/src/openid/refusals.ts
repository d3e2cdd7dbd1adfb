import { sql, type Kysely } from 'kysely';
import { databaseTime } from '../platform/database/databaseTime.ts';
import type { Tables } from '../core/database/tables.ts';
import type { OpenIdContext } from './context.ts';
import { openIdTables, type RefusedRequest } from './tables.ts';

/** As the migration says. */
const mostOfClient = 50;
const keptMilliseconds = 30 * 86_400_000;

/**
 * Keeps a refusal. One that repeats another replaces it, and a new one the oldest, because strangers can cause any number in the name of
 * a client.
 */
export async function keepRefusal(
  { db, settings }: OpenIdContext,
  clientId: string,
  { endpoint, error, reason }: Pick<RefusedRequest, 'endpoint' | 'error' | 'reason'>,
): Promise<void> {
  await sql`
    with own as (select slot, at, (endpoint, error, reason) = (${endpoint}, ${error}, ${reason}) as is_same
      from openid_refusals where client_id = ${clientId})
    insert into openid_refusals as kept (client_id, slot, at, endpoint, error, reason, times)
    select ${clientId}, coalesce(
      (select slot from own where is_same limit 1),
      case when (select count(*) from own) < ${mostOfClient} then (select count(*) from own)
        else (select slot from own order by at limit 1) end),
      ${new Date(settings.now())}, ${endpoint}, ${error}, ${reason}, 1
    on conflict (client_id, slot) do update set
      times = case when (kept.endpoint, kept.error, kept.reason) = (excluded.endpoint, excluded.error, excluded.reason)
        then least(kept.times + 1, 1000000) else 1 end,
      at = excluded.at, endpoint = excluded.endpoint, error = excluded.error, reason = excluded.reason`.execute(
    db,
  );
}

/** The latest refused requests of a client, newest first. */
export async function latestRefusals(
  db: Kysely<Tables>,
  clientId: string,
): Promise<readonly RefusedRequest[]> {
  return openIdTables(db)
    .selectFrom('openid_refusals')
    .select(['at', 'endpoint', 'error', 'reason', 'times'])
    .where('client_id', '=', clientId)
    .orderBy('at', 'desc')
    .execute();
}

export async function forgetRefusals({ db, settings }: OpenIdContext): Promise<void> {
  await openIdTables(db)
    .deleteFrom('openid_refusals')
    .where('at', '<', databaseTime(settings.now, keptMilliseconds))
    .execute();
}
