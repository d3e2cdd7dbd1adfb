import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables';
import type { ServiceContext } from '../serviceContext';

type TrustContext = Pick<ServiceContext, 'db' | 'settings' | 'tokens'>;

/** Whether this `trustedJWT` lets this user skip the challenge: ours, alive, not revoked, and theirs. */
export async function isTrustedDevice(
  { db, settings, tokens }: TrustContext,
  uid: string,
  trustedJWT: string | undefined,
): Promise<boolean> {
  if (trustedJWT === undefined) return false;
  const claims = await tokens.readTrust(trustedJWT);
  if (claims?.uid !== uid) return false;
  const device = await db
    .selectFrom('trusted_devices')
    .select('id')
    .where('id', '=', claims.deviceId)
    .where('uid', '=', uid)
    .where('expires_at', '>', new Date(settings.now()))
    .executeTakeFirst();
  return device !== undefined;
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
