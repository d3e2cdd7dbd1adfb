import type { Kysely, RawBuilder } from 'kysely';
import { databaseTime } from '../../platform/database/databaseTime.ts';
import type { ServiceSettings } from '../settings/options.ts';
import type { Tables } from './tables.ts';

/** How long a message that was given up is kept for inspection and retry: 30 days, in milliseconds. */
const keptWhenGivenUp = 2_592_000_000;

/**
 * Removes expired rows that belong to no capability: attempts, message counts, spent proofs, and messages that were given
 * up. (Sent messages are removed at once.)
 */
export async function removeExpired(
  db: Kysely<Tables>,
  { now, lockout }: Pick<ServiceSettings, 'now' | 'lockout'>,
): Promise<void> {
  const at = databaseTime(now);
  const quietMs = Math.max(lockout.windowSeconds, lockout.longestLockSeconds) * 1000;
  await removeAttempts(db, at, databaseTime(now, quietMs));
  await db.deleteFrom('text_message_counts').where('window_ends_at', '<', at).execute();
  await db.deleteFrom('spent_proofs').where('expires_at', '<', at).execute();
  await db
    .deleteFrom('outbox_messages')
    .where('failed_at', '<', databaseTime(now, keptWhenGivenUp))
    .execute();
}

/** @param quietSince attempts of a source that has neither failed nor been locked since then are removed. */
async function removeAttempts(
  db: Kysely<Tables>,
  at: RawBuilder<Date>,
  quietSince: RawBuilder<Date>,
): Promise<void> {
  await db
    .deleteFrom('sign_in_attempts')
    .where('last_failed_at', '<', quietSince)
    .where((eb) => eb.or([eb('locked_until', 'is', null), eb('locked_until', '<', quietSince)]))
    .where((eb) => eb.or([eb('day_ends_at', 'is', null), eb('day_ends_at', '<', at)]))
    .where((eb) => eb.or([eb('known_until', 'is', null), eb('known_until', '<', at)]))
    .execute();
}
