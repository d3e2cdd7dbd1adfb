import type { Kysely } from 'kysely';
import { readAuditLog } from '../core/audit/auditLog.ts';
import type { Tables } from '../core/database/tables.ts';
import type { AuditRow } from '../core/database/tables.ts';
import type { DirectoryParts, PersonExport } from '../core/directory.ts';
import { fileAccountFrom } from './importAccounts.ts';
import type { StoredAccount } from './readAccounts.ts';

/** @param scopes of the person's passwords and codes (`attemptKeys.ts`). */
export async function exportPerson<Person>(
  db: Kysely<Tables>,
  stored: StoredAccount,
  scopes: readonly string[],
  more: DirectoryParts<unknown, object, Person>['exportPerson'],
): Promise<PersonExport & Person> {
  const { uid, password_hash: hash } = stored.user;
  const auditLog: AuditRow[] = [];
  for await (const entry of readAuditLog(db, { uid })) auditLog.push(entry);
  const own = {
    account: {
      ...fileAccountFrom(stored, { passwordHashes: false, sealedSecrets: false }),
      hasPassword: hash !== null,
    },
    attempts: await db
      .selectFrom('sign_in_attempts')
      .select(['failures', 'last_failed_at as lastFailedAt', 'locked_until as lockedUntil'])
      .select('known_until as knownUntil')
      .where('scope', 'in', scopes)
      .execute(),
    messages: await db
      .selectFrom('outbox_messages')
      .select(['channel', 'kind', 'created_at as createdAt', 'expires_at as expiresAt'])
      .where('uid', '=', uid)
      .execute(),
    auditLog,
  };
  return { ...own, ...(await more(db, stored.user)) };
}
