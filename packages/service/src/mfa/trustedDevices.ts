import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { isTrustedKey } from '../security/signingKeys.ts';
import type { ServiceContext } from '../serviceContext.ts';

type TrustContext = Pick<ServiceContext, 'db' | 'settings' | 'tokens'>;

/**
 * The id of the device that this `trustedJWT` is for: signed here, this user's, not expired, and neither it nor its signing key revoked.
 *
 * @param uid `null` for an unknown user, for whom the token is read as well: its time does not tell who exists.
 */
export async function trustedDeviceOf(
  { db, settings, tokens }: TrustContext,
  uid: string | null,
  trustedJWT: string | undefined,
): Promise<string | null> {
  if (trustedJWT === undefined) return null;
  const claims = await tokens.readTrust(trustedJWT);
  if (claims === null || uid === null || claims.uid !== uid) return null;
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

/** Forgets the user's trusted devices: the second factor was changed or turned off, or the password was reset. */
export async function revokeTrustedDevices(db: Kysely<Tables>, uid: string): Promise<void> {
  await db.deleteFrom('trusted_devices').where('uid', '=', uid).execute();
}

/** Records a device of the user as trusted. @returns the `trustedToken`. */
export async function trustDevice({ db, settings, tokens }: TrustContext, uid: string): Promise<string> {
  const id = randomUUID();
  const now = settings.now();
  const expiresAt = new Date(now + settings.trustedDeviceSeconds * 1000);
  await db
    .insertInto('trusted_devices')
    .values({ id, uid, created_at: new Date(now), expires_at: expiresAt })
    .execute();
  return tokens.signTrust(uid, id, expiresAt);
}
