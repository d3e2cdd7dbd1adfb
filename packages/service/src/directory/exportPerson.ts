import type { Kysely } from 'kysely';
import { readAuditLog } from '../audit/auditLog.ts';
import type { AuditRow, Tables } from '../database/tables.ts';
import { usernameKey } from '../database/usernameKey.ts';
import type { DirectoryParts, PersonExport } from '../directory.ts';
import { fileAccountFrom } from './importAccounts.ts';
import type { StoredAccount } from './readAccounts.ts';

/** @param scopes of the person's passwords and codes (`attemptKeys.ts`). */
export async function exportPerson(
  db: Kysely<Tables>,
  stored: StoredAccount,
  scopes: readonly string[],
  more: DirectoryParts['exportPerson'],
): Promise<PersonExport> {
  const { uid, email, password_hash: hash } = stored.user;
  const auditLog: AuditRow[] = [];
  for await (const entry of readAuditLog(db, { uid })) auditLog.push(entry);
  const own = {
    account: {
      ...fileAccountFrom(stored, { passwordHashes: false, sealedSecrets: false }),
      hasPassword: hash !== null,
    },
    sessions: await db
      .selectFrom('sessions')
      .select(['method', 'created_at as createdAt', 'expires_at as expiresAt', 'ended_at as endedAt'])
      .select(['end_reason as endReason', 'signed_in_by as signedInBy', 'browser', 'system', 'network'])
      .where('uid', '=', uid)
      .orderBy('created_at')
      .execute(),
    verifications: await db
      .selectFrom('verification_tokens')
      .select(['purpose', 'method', 'mfa_type as mfa', 'created_at as createdAt', 'expires_at as expiresAt'])
      .where('uid', '=', uid)
      .execute(),
    enrolments: await db
      .selectFrom('mfa_enrolments')
      .select(['type', 'phone', 'country_code as countryCode', 'expires_at as expiresAt'])
      .where('uid', '=', uid)
      .execute(),
    trustedDevices: await db
      .selectFrom('trusted_devices')
      .select(['created_at as createdAt', 'expires_at as expiresAt', 'browser', 'system', 'network'])
      .where('uid', '=', uid)
      .execute(),
    links: await db
      .selectFrom('links')
      .select(['kind', 'application', 'redirect_url as redirectUrl', 'api_user as apiUser'])
      .select(['created_at as createdAt', 'expires_at as expiresAt', 'used_at as usedAt'])
      .where((is) => is.or([is('uid', '=', uid), is('email_key', '=', usernameKey(email))]))
      .execute(),
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
  return { ...own, ...(await more(db, uid)) } as PersonExport;
}
