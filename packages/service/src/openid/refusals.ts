import { sql, type Kysely } from 'kysely';
import { databaseTime } from '../platform/database/databaseTime.ts';
import type { Tables } from '../core/database/tables.ts';
import type { ServiceContext } from '../core/context.ts';

declare module '../core/database/tables.ts' {
  interface Tables {
    /** Without personal data. Clients of the deployment file are in no table. */
    openid_refusals: Refusal & { readonly client_id: string; readonly slot: number };
  }
}

/** Why requests of a client were refused. */
export interface Refusal {
  /** When the latest one came. */
  readonly at: Date;
  /** As the library names it, such as `token`. */
  readonly endpoint: string;
  /** The error code of OAuth. */
  readonly error: string;
  readonly reason: string;
  /** How often it came since it is in the list. */
  readonly times: number;
}

/** As the migration says. */
const mostOfClient = 50;
const keptMilliseconds = 30 * 86_400_000;

/**
 * Keeps a refusal. One that repeats another replaces it, and a new one the oldest, because strangers can cause any number in the name of
 * a client.
 */
export async function keepRefusal(
  { db, settings }: Pick<ServiceContext, 'db' | 'settings'>,
  clientId: string,
  { endpoint, error, reason }: Pick<Refusal, 'endpoint' | 'error' | 'reason'>,
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
export async function latestRefusals(db: Kysely<Tables>, clientId: string): Promise<readonly Refusal[]> {
  return db
    .selectFrom('openid_refusals')
    .select(['at', 'endpoint', 'error', 'reason', 'times'])
    .where('client_id', '=', clientId)
    .orderBy('at', 'desc')
    .execute();
}

export async function forgetRefusals({
  db,
  settings,
}: Pick<ServiceContext, 'db' | 'settings'>): Promise<void> {
  await db
    .deleteFrom('openid_refusals')
    .where('at', '<', databaseTime(settings.now, keptMilliseconds))
    .execute();
}
