import { sql } from 'kysely';
import type { ServiceContext } from '../core/context.ts';
import type { LinkRow } from '../core/database/tables.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import { hashOfToken, newOpaqueToken } from '../platform/security/opaqueTokens.ts';
import type { LinkOptions } from '../core/settings/linkOptions.ts';
import { linkEvents } from './events.ts';

/** The purpose of a new link. */
export type LinkPurpose =
  | { readonly kind: 'activate' | 'reset-password'; readonly uid: string; readonly isMagic: boolean }
  | {
      readonly kind: 'secret-key';
      readonly apiUser: string;
      /** Address to which the link is mailed. */
      readonly mailTo?: string;
      readonly isMagic: boolean;
    }
  | {
      readonly kind: 'application';
      readonly uid: string;
      readonly application: string;
      readonly redirectUrl: string | null;
      readonly isMagic: true;
    };

/** An issued link. Only the hash of its id is stored. */
export interface IssuedLink {
  /** 256 random bits, base64url, usable as a path segment. */
  readonly id: string;
  readonly url: string;
  readonly expiresAt: Date;
}

/** Issues a link. Earlier open links of the same user to the same form become invalid. */
export async function issueLink(context: ServiceContext, purpose: LinkPurpose): Promise<IssuedLink> {
  const { db, settings, audit } = context;
  const id = newOpaqueToken();
  const now = settings.now();
  const uid = 'uid' in purpose ? purpose.uid : null;
  const expiresAt = new Date(now + lifeOf(purpose.kind, settings.links) * 1000);
  if (purpose.kind === 'activate' || purpose.kind === 'reset-password') {
    await closeLinks(context, purpose.uid, purpose.kind);
  }
  await db
    .insertInto('links')
    .values({
      id_hash: hashOfToken(id),
      kind: purpose.kind,
      uid,
      api_user: 'apiUser' in purpose ? purpose.apiUser : null,
      email_key: 'mailTo' in purpose ? usernameKey(purpose.mailTo) : null,
      application: 'application' in purpose ? purpose.application : null,
      redirect_url: 'redirectUrl' in purpose ? purpose.redirectUrl : null,
      is_magic: purpose.isMagic,
      created_at: new Date(now),
      expires_at: expiresAt,
      exchanged_at: null,
      used_at: null,
    })
    .execute();
  await audit.record(db, { event: linkEvents['link-issued'], outcome: 'success', uid, method: purpose.kind });
  return { id, url: addressOf(id, purpose, settings.links), expiresAt };
}

/** Finds a valid link without using it. `null` for any other. */
export async function findOpenLink(
  { db, settings }: ServiceContext,
  id: string,
  kind: LinkRow['kind'],
): Promise<LinkRow | null> {
  const row = await db
    .selectFrom('links')
    .selectAll()
    .where('id_hash', '=', hashOfToken(id))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(settings.now()))
    .executeTakeFirst();
  return row ?? null;
}

/** Consumes a link. Of several concurrent calls one gets it; the others get `null`. */
export async function takeLink(
  { db, settings }: ServiceContext,
  id: string,
  kind: LinkRow['kind'],
): Promise<LinkRow | null> {
  const now = new Date(settings.now());
  const row = await db
    .updateTable('links')
    .set({ used_at: now })
    .where('id_hash', '=', hashOfToken(id))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Exchanges a magic link, once; the form that it opens can then be used with the same id. `null` for any other link,
 * and for one of a disabled account.
 */
export async function exchangeLink(
  { db, settings, audit }: ServiceContext,
  id: string,
): Promise<LinkRow | null> {
  const now = new Date(settings.now());
  const row = await db
    .updateTable('links')
    .set({ exchanged_at: now })
    .where('id_hash', '=', hashOfToken(id))
    .where('is_magic', '=', true)
    .where('exchanged_at', 'is', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where(
      sql<boolean>`not exists (select from users where users.uid = links.uid and users.disabled_at is not null)`,
    )
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  await audit.record(db, {
    event: linkEvents['link-used'],
    outcome: 'success',
    uid: row.uid,
    method: row.kind,
  });
  return row;
}

/** Whether the link is valid and neither used nor exchanged. */
export async function isUntouched({ db, settings }: ServiceContext, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('links')
    .select('id_hash')
    .where('id_hash', '=', hashOfToken(id))
    .where('used_at', 'is', null)
    .where('exchanged_at', 'is', null)
    .where('expires_at', '>', new Date(settings.now()))
    .executeTakeFirst();
  return row !== undefined;
}

/** Invalidates the open links of a user: of one kind, or all. */
export async function closeLinks(
  { db, settings }: ServiceContext,
  uid: string,
  kind?: LinkRow['kind'],
): Promise<void> {
  const open = db
    .updateTable('links')
    .set({ used_at: new Date(settings.now()) })
    .where('uid', '=', uid)
    .where('used_at', 'is', null);
  await (kind === undefined ? open : open.where('kind', '=', kind)).execute();
}

/** Invalidates the open API invitations of an API user, or those mailed to an address. */
export async function closeApiInvitations(
  { db, settings }: ServiceContext,
  to: { readonly apiUser: string } | { readonly mailbox: string },
): Promise<void> {
  const open = db
    .updateTable('links')
    .set({ used_at: new Date(settings.now()) })
    .where('used_at', 'is', null);
  await (
    'apiUser' in to
      ? open.where('api_user', '=', to.apiUser)
      : open.where('email_key', '=', usernameKey(to.mailbox))
  ).execute();
}

function lifeOf(kind: LinkRow['kind'], links: LinkOptions): number {
  if (kind === 'reset-password') return links.resetSeconds;
  return kind === 'application' ? links.magicLinkSeconds : links.invitationSeconds;
}

function addressOf(id: string, { kind, isMagic }: LinkPurpose, links: LinkOptions): string {
  return isMagic ? `${links.shortLinkUrl}/${id}` : `${links.signOnUrl}/${kind}/${id}`;
}
