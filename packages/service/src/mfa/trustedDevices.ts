import type { Kysely } from 'kysely';
import { clientDetailsOf } from '../core/audit/clientDetails.ts';
import type { Tables } from '../core/database/tables.ts';
import { newShortId } from '../platform/security/opaqueTokens.ts';
import { isTrustedKey } from '../core/keys/signingKeys.ts';
import type { ServiceContext } from '../core/context.ts';

/**
 * The id of the device of a `trustedJWT` that this service issued for this user, that has not expired, and of which
 * neither the device nor the key was revoked.
 *
 * @param uid `null` for an unknown user; the token is then verified too, so that the time does not reveal which users
 * exist.
 */
export async function trustedDeviceOf(
  { db, settings, tokens }: ServiceContext,
  uid: string | null,
  trustedJWT: string | undefined,
): Promise<string | null> {
  if (trustedJWT === undefined) return null;
  const claims = await tokens.readTrust(trustedJWT);
  if (claims === null || uid === null) return null;
  const device = await db
    .selectFrom('trusted_devices')
    .select('id')
    .where('id', '=', claims.deviceId)
    .where('uid', '=', uid)
    .where('expires_at', '>', new Date(settings.now()))
    .where(isTrustedKey(claims.kid))
    .executeTakeFirst();
  return device?.id ?? null;
}

/**
 * Revokes the user's trusted devices, because the second factor was changed or turned off, or the password was reset.
 */
export async function revokeTrustedDevices(db: Kysely<Tables>, uid: string): Promise<void> {
  await db.deleteFrom('trusted_devices').where('uid', '=', uid).execute();
}

/** Records the device of the caller as trusted by the user. @returns the `trustedToken`. */
export async function trustDevice(
  { db, settings, tokens, audit }: ServiceContext,
  uid: string,
): Promise<string> {
  const id = newShortId();
  const now = settings.now();
  const expiresAt = new Date(now + settings.trustedDeviceSeconds * 1000);
  await db
    .insertInto('trusted_devices')
    .values({ id, uid, created_at: new Date(now), expires_at: expiresAt, ...clientDetailsOf(audit.origin) })
    .execute();
  return tokens.signTrust(id, expiresAt);
}
