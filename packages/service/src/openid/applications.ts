import type { DoneResponse, OpenIdApplicationsResponse } from '@vestibule/contract/schema';
import type { Kysely, Transaction } from 'kysely';
import { withUserLocked } from '../accounts/lockUser.ts';
import { clientScopes } from '../core/clientFields.ts';
import { anyOf } from '../platform/database/anyOf.ts';
import type { Tables } from '../core/database/tables.ts';
import { onceCommitted } from '../platform/database/transaction.ts';
import { sessionEnded } from '../core/errors.ts';
import { Refusal } from '../platform/errors.ts';
import type { WrittenMessage } from '../core/messages/messages.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import type { Hooks, InTransaction } from '../core/context.ts';
import { expectOpenSession } from '../session/openSession.ts';
import type { OpenIdContext } from './context.ts';
import { openIdTables } from './tables.ts';
import { openIdEvents } from './events.ts';
import { artifactHash } from './artifacts.ts';
import { writeLogouts } from './backChannel.ts';
import { openIdTexts } from './openid.messages.ts';

/** An application that a user has agreed to, or that a live session of the user is connected to. */
interface ConnectedApplication {
  readonly clientId: string;
  /** What it sees, without `openid`. */
  readonly scopes: OpenIdApplicationsResponse['applications'][number]['scopes'];
  /** Since the consent, or the first of the connections that have not ended. */
  readonly connectedAt: Date;
}

/** The connected applications of a user, newest first. */
export async function connectedApplications(
  db: Kysely<Tables>,
  uid: string,
  now: Date,
): Promise<readonly ConnectedApplication[]> {
  const connections = await openIdTables(db)
    .selectFrom('openid_artifacts')
    .innerJoin('sessions', 'sessions.id', 'session_id')
    .select(['client_id', 'grant_id', 'payload'])
    .where('model', '=', 'Connection')
    .where('sessions.uid', '=', uid)
    .where('ended_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .execute();
  const given = await openIdTables(db)
    .selectFrom('openid_artifacts')
    .select(['id_hash', 'model', 'client_id', 'payload'])
    .where('uid', '=', uid)
    .where('model', 'in', ['Consent', 'Grant'])
    .where('expires_at', '>', now)
    .execute();
  const grants = new Map(given.map(({ id_hash, payload }) => [id_hash, payload['openid']]));
  const grantedTo = (grantId: string | null): readonly string[] => {
    const openid = grants.get(artifactHash('Grant', grantId ?? '')) as { scope?: string } | undefined;
    return openid?.scope?.split(' ') ?? [];
  };
  const all = [
    ...given
      .filter(({ model }) => model === 'Consent')
      .map((consent) => ({ ...consent, scopes: consent.payload['scopes'] as readonly string[] })),
    ...connections.map((connection) => ({ ...connection, scopes: grantedTo(connection.grant_id) })),
  ];
  return [...new Set(all.map(({ client_id }) => client_id ?? ''))]
    .map((clientId) => {
      const own = all.filter(({ client_id }) => client_id === clientId);
      return {
        clientId,
        scopes: clientScopes.filter((scope) => own.some(({ scopes }) => scopes.includes(scope))),
        connectedAt: new Date(Math.min(...own.map(({ payload }) => payload['at'] as number))),
      };
    })
    .sort((one, other) => other.connectedAt.getTime() - one.connectedAt.getTime());
}

/** `GET /auth/v1/openid/applications`. An application whose client was removed is left out. */
export async function listApplications(
  { db, settings, clients }: OpenIdContext,
  { uid }: Pick<SessionBearer, 'uid'>,
): Promise<OpenIdApplicationsResponse> {
  const connected = await connectedApplications(db, uid, new Date(settings.now()));
  const applications = await Promise.all(
    connected.map(async ({ clientId: id, scopes, connectedAt }) => {
      const client = await clients.find(id);
      if (client === null) return [];
      const { name, url = null, logo = null } = client;
      return [{ id, name, url, logo, scopes, connectedAt: connectedAt.toISOString() }];
    }),
  );
  return { applications: applications.flat() };
}

/**
 * `POST /auth/v1/openid/applications/{id}/disconnect`. The sessions of the user go on.
 *
 * @throws ServiceError 404 `not_found` for an application that is not connected.
 */
export async function disconnectApplication(
  context: OpenIdContext,
  bearer: SessionBearer,
  clientId: string,
): Promise<DoneResponse> {
  const { uid } = bearer;
  const messages = await withUserLocked(context.db, uid, async (trx) => {
    await expectOpenSession(trx, bearer);
    const connected = await connectedApplications(trx, uid, new Date(context.settings.now()));
    if (!connected.some((one) => one.clientId === clientId))
      throw new Refusal(404, 'not_found', openIdTexts.notConnected);
    const written = await endConnection(context, trx, uid, clientId);
    await context.audit.record(trx, {
      event: openIdEvents['openid-disconnect'],
      outcome: 'success',
      uid,
      method: clientId,
    });
    return written;
  });
  if (messages === null) throw sessionEnded('unauthorized');
  for (const message of messages) context.messages.sendSoon(message);
  return {};
}

/** Ends the connections of a user to an application in all sessions, with all that it was given, and tells it. */
async function endConnection(
  context: OpenIdContext,
  trx: Transaction<Tables>,
  uid: string,
  clientId: string,
): Promise<readonly WrittenMessage[]> {
  const connections = await openIdTables(trx)
    .deleteFrom('openid_artifacts')
    .where('model', '=', 'Connection')
    .where('client_id', '=', clientId)
    .where('session_id', 'in', trx.selectFrom('sessions').select('id').where('uid', '=', uid))
    .returning('session_id')
    .execute();
  // The consent, grants, codes and tokens.
  await openIdTables(trx)
    .deleteFrom('openid_artifacts')
    .where('uid', '=', uid)
    .where('client_id', '=', clientId)
    .execute();
  const over = connections.map(({ session_id }) => ({ clientId, sub: uid, sid: session_id ?? '' }));
  return writeLogouts(context, trx, over);
}

/** Ends the connections to applications for which a user has lost the persona. The user's row is locked. */
export async function endUnentitled(
  context: InTransaction<OpenIdContext>,
  { uid, personas }: Parameters<Hooks['accountWritten']>[1],
): Promise<void> {
  const { db: trx, clients, messages } = context;
  // The end of a session locks its row, then its connections in any order: in the same order there is no deadlock.
  const sessions = await trx
    .selectFrom('sessions')
    .select('id')
    .where('uid', '=', uid)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const connected = await openIdTables(trx)
    .selectFrom('openid_artifacts')
    .select('client_id')
    .distinct()
    .where('model', '=', 'Connection')
    .where('session_id', '=', anyOf(sessions.map(({ id }) => id)))
    .execute();
  for (const { client_id } of connected) {
    const persona = (await clients.find(client_id ?? '', trx))?.persona;
    if (persona === undefined || Object.hasOwn(personas, persona)) continue;
    for (const message of await endConnection(context, trx, uid, client_id ?? ''))
      onceCommitted(trx, () => {
        messages.sendSoon(message);
      });
  }
}
