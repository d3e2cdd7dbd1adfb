import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import * as v from 'valibot';
import type { Post } from '../core/context.ts';
import type { WorkTools } from '../capability.ts';
import { repeat } from '../platform/background.ts';
import type { Tables } from '../core/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import type { WrittenMessage } from '../core/messages/messages.ts';
import { postUntilAccepted } from '../platform/outbox/httpPost.ts';
import type { OpenIdContext } from './context.ts';
import { openIdTables } from './tables.ts';

/** The end of a session, or of its connection, for one application. */
export interface LogoutNotice {
  readonly clientId: string;
  readonly sub: string;
  readonly sid: string;
  /** The same for every try. */
  readonly jti: string;
}

/** How often a process looks for connections of sessions that have expired, or whose end it has not heard of. */
const sweepMilliseconds = 30_000;
/** How long a process waits for connections that others have locked. */
const lockedMilliseconds = 200;
/** Connections in one transaction. */
const batch = 100;
const ended = v.pipe(v.string(), v.parseJson(), v.object({ session: v.string() }));

/**
 * Tells applications that a session has ended, whatever has ended it: the database announces that to all processes, one of which
 * writes the messages.
 *
 * @returns stops it.
 */
export async function watchSessions(
  context: OpenIdContext,
  { listen, onFailure }: WorkTools,
): Promise<() => Promise<void>> {
  const { settings, background } = context;
  if (settings.openid === undefined) return () => Promise.resolve();
  const sweep = (sessionId?: string): void => {
    background.run(logoutPost.name, () => tellApplications(context, sessionId));
  };
  const hear = (payload: string): void => {
    const { success, output } = v.safeParse(ended, payload);
    if (success) sweep(output.session);
  };
  const stopListening = await listen('vestibule_events', hear, () => {
    sweep();
  });
  const stopSweeping = repeat(
    {
      name: logoutPost.name,
      everyMilliseconds: sweepMilliseconds,
      startsNow: false,
      logger: settings.logger,
      onFailure,
    },
    () => tellApplications(context),
  );
  return async () => {
    await stopListening();
    await stopSweeping();
  };
}

/** @param sessionId only this session. */
async function tellApplications(context: OpenIdContext, sessionId?: string): Promise<void> {
  const isOver = sql<boolean>`
    model = 'Connection' and expires_at <= ${new Date(context.settings.now())}
    and (${sessionId ?? null}::text is null or session_id = ${sessionId ?? null})`;
  for (;;) {
    const messages = await inTransaction(context.db, async (trx) => {
      const { rows } = await sql<{ session_id: string; client_id: string; uid: string }>`
        delete from openid_artifacts where id_hash in (
          select id_hash from openid_artifacts where ${isOver} limit ${batch} for update skip locked)
        returning session_id, client_id, payload ->> 'uid' as uid`.execute(trx);
      const over = rows.map(({ session_id: sid, client_id: clientId, uid: sub }) => ({ clientId, sub, sid }));
      return writeLogouts(context, trx, over);
    });
    for (const message of messages) context.messages.sendSoon(message);
    const left = await openIdTables(context.db)
      .selectFrom('openid_artifacts')
      .select('id_hash')
      .where(isOver)
      .limit(1)
      .executeTakeFirst();
    if (left === undefined) return;
    // Another process tells these, or the transaction that ends the session is not over.
    if (messages.length === 0) await pause(lockedMilliseconds);
  }
}

/** Writes a message to each application that hears of the end of its connection. @param over the removed connections. */
export async function writeLogouts(
  { clients, messages }: OpenIdContext,
  trx: Transaction<Tables>,
  over: readonly Omit<LogoutNotice, 'jti'>[],
): Promise<readonly WrittenMessage[]> {
  const written: WrittenMessage[] = [];
  for (const connection of over) {
    const receiver = (await clients.find(connection.clientId, trx))?.backchannelLogoutUri;
    if (receiver === undefined) continue;
    const content = { ...connection, jti: randomUUID() };
    written.push(
      await messages.write(trx, { channel: logoutPost, kind: logoutPost.name, receiver, content }),
    );
  }
  return written;
}

/**
 * Posts a logout token (OpenID Connect Back-Channel Logout §2.5), which is made for each try, because it is valid for two minutes.
 *
 * @throws MessageDelayed until the application has accepted it.
 */
async function postLogoutToken(
  { clients, openId }: OpenIdContext,
  { clientId, sub, sid, jti }: LogoutNotice,
): Promise<void> {
  const address = (await clients.find(clientId))?.backchannelLogoutUri;
  const provider = await openId.provider();
  const client = await provider.Client.find(clientId);
  if (address === undefined || client === undefined) return;
  const token = new provider.IdToken({}, { client });
  token.set('sub', sub);
  token.set('events', { 'http://schemas.openid.net/event/backchannel-logout': {} });
  token.set('jti', jti);
  token.set('sid', sid);
  await postUntilAccepted(address, { logout_token: await token.issue({ use: 'logout' }) });
}

export const logoutPost: Post<LogoutNotice, OpenIdContext> = {
  name: 'back-channel-logout',
  handle: postLogoutToken,
};
