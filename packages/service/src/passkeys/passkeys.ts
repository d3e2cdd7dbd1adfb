import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type {
  DoneResponse,
  PasskeyEntry,
  PasskeysResponse,
  RemovePasskeyRequest,
  RenamePasskeyRequest,
} from '@vestibule/contract/schema';
import { withAnyUserLocked } from '../accounts/lockUser.ts';
import type { Tables } from '../core/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { sessionEnded } from '../core/errors.ts';
import { requestRefused } from '../platform/errors.ts';
import { newOpaqueToken } from '../platform/security/opaqueTokens.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import type { PasskeyContext } from './settings.ts';
import { passkeyTables } from './tables.ts';
import { passkeyEvents } from './events.ts';
import { checkIdentityToken, useIdentityToken } from '../session/identityTokens.ts';
import { relyingParty } from './challenges.ts';
import type { KeyState } from './webauthn.ts';
import type { PasskeyRow } from './tables.ts';
import { unknownCredential } from './errors.ts';

/** `GET /auth/v1/passkeys`, of the extension `passkeys`. */
export async function listPasskeys(
  context: PasskeyContext,
  { uid }: Pick<SessionBearer, 'uid'>,
): Promise<PasskeysResponse> {
  relyingParty(context);
  const userId = await userHandleOf(context.db, uid);
  const attributes = await context.slots.keyAttributes(context, uid);
  const passkeys = (await passkeysOf(context.db, uid)).map(entryOf);
  return { userId, passkeys: passkeys.map((entry) => ({ ...entry, ...attributes[entry.id] })) };
}

/** The passkeys of a user, the newest first. */
export function passkeysOf(db: Kysely<Tables>, uid: string): Promise<PasskeyRow[]> {
  return passkeyTables(db)
    .selectFrom('passkeys')
    .selectAll()
    .where('uid', '=', uid)
    .orderBy('created_at', 'desc')
    .orderBy('credential_id')
    .execute();
}

/** The row as it is inserted again. */
export function insertable(row: PasskeyRow): Omit<PasskeyRow, 'counter'> & { readonly counter: number } {
  return { ...row, counter: Number(row.counter) };
}

export function entryOf(
  row: Pick<PasskeyRow, 'credential_id' | 'name' | 'created_at' | 'last_used_at' | 'is_synced'>,
): PasskeyEntry {
  return {
    id: row.credential_id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    isSynced: row.is_synced,
  };
}

/** The user's handle, which is generated when it is first needed. */
export async function userHandleOf(db: Kysely<Tables>, uid: string): Promise<string> {
  const present = await passkeyTables(db)
    .selectFrom('users')
    .select('user_handle')
    .where('uid', '=', uid)
    .executeTakeFirst();
  const handle = present?.user_handle ?? null;
  if (handle !== null) return handle;
  const chosen = await passkeyTables(db)
    .updateTable('users')
    .set({ user_handle: sql`coalesce(user_handle, ${newOpaqueToken()})` })
    .where('uid', '=', uid)
    .returning('user_handle')
    .executeTakeFirst();
  const own = chosen?.user_handle ?? null;
  if (own === null) throw sessionEnded('unauthorized');
  return own;
}

/** The name of a passkey, on one line. @throws ServiceError 400 `invalid_request` for a blank one. */
export function nameFrom(given: string): string {
  const name = given.replace(/\p{Cc}+/gu, ' ').trim();
  if (name === '') throw requestRefused();
  return name;
}

/** `POST /auth/v1/passkeys/rename`. @throws ServiceError 404 `unknown_credential`. */
export async function renamePasskey(
  context: PasskeyContext,
  { uid }: SessionBearer,
  { id, name }: RenamePasskeyRequest,
): Promise<DoneResponse> {
  relyingParty(context);
  const given = nameFrom(name);
  await inTransaction(context.db, async (trx) => {
    const { numUpdatedRows } = await passkeyTables(trx)
      .updateTable('passkeys')
      .set({ name: given })
      .where('uid', '=', uid)
      .where('credential_id', '=', id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw unknownCredential();
    await context.audit.record(trx, { event: passkeyEvents['passkey-renamed'], outcome: 'success', uid });
  });
  return {};
}

/** `POST /auth/v1/passkeys/remove`. @throws ServiceError 401 `invalid_verification`; 404 `unknown_credential`. */
export async function removePasskey(
  context: PasskeyContext,
  bearer: SessionBearer,
  { id, authVerificationToken }: RemovePasskeyRequest,
): Promise<DoneResponse> {
  relyingParty(context);
  await checkIdentityToken(context, bearer, authVerificationToken);
  const isRemoved = await removePasskeyOf(context, bearer.uid, id, (trx) =>
    useIdentityToken(trx, bearer, authVerificationToken),
  );
  if (!isRemoved) throw unknownCredential();
  return {};
}

/**
 * Removes a passkey of a user. Sessions that it has started continue.
 *
 * @param permit runs in the transaction of the removal.
 * @returns `false` if the user has none with this id.
 */
export async function removePasskeyOf(
  { db, audit }: PasskeyContext,
  uid: string,
  id: string,
  permit?: (trx: Kysely<Tables>) => Promise<unknown>,
): Promise<boolean> {
  const isRemoved = await withAnyUserLocked(db, uid, async (trx) => {
    const { numDeletedRows } = await passkeyTables(trx)
      .deleteFrom('passkeys')
      .where('uid', '=', uid)
      .where('credential_id', '=', id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await permit?.(trx);
    await audit.record(trx, { event: passkeyEvents['passkey-removed'], outcome: 'success', uid });
    return true;
  });
  return isRemoved === true;
}

/** A notice is written after its event, perhaps by a process whose clock is ahead of another's, ms. */
const clockToleranceMs = 10_000;

/** Removes the passkeys that someone else may have added. @param since when the notice of the event was written. */
export async function removePasskeysSince(
  { db, audit }: PasskeyContext,
  uid: string,
  since: Date,
): Promise<void> {
  const { numDeletedRows } = await passkeyTables(db)
    .deleteFrom('passkeys')
    .where('uid', '=', uid)
    .where('created_at', '>=', new Date(since.getTime() - clockToleranceMs))
    .executeTakeFirst();
  if (numDeletedRows > 0n)
    await audit.record(db, { event: passkeyEvents['passkey-removed'], outcome: 'success', uid });
}

/**
 * Records the use of a passkey.
 *
 * @returns `false` if its counter did not go up, which shows a copy of the key, or if it was removed in the meantime.
 */
export async function useKey(
  { db, settings }: PasskeyContext,
  { credential_id, uid }: Pick<PasskeyRow, 'credential_id' | 'uid'>,
  { counter, is_synced, is_syncable }: KeyState,
): Promise<boolean> {
  const { numUpdatedRows } = await passkeyTables(db)
    .updateTable('passkeys')
    .set({ counter, is_synced, last_used_at: new Date(settings.now()) })
    .where('credential_id', '=', credential_id)
    .where('uid', '=', uid)
    .where('is_syncable', '=', is_syncable)
    // Authenticators that do not count always send 0.
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
