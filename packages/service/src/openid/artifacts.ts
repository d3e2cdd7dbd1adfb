import type { Kysely } from 'kysely';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { compiledOnce } from '../platform/database/compiledOnce.ts';
import type { Tables } from '../core/database/tables.ts';
import { hashOfToken } from '../platform/security/opaqueTokens.ts';
import type { OpenIdContext } from './context.ts';
import { openIdTables, type Payload } from './tables.ts';

/** A stored artifact, by the hash of its id. */
export const artifactHash = (model: string, id: string): string => hashOfToken(`${model} ${id}`);

/** What belongs to a session and is refused as soon as that has ended. */
const boundModels: ReadonlySet<string> = new Set([
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
  'Session',
]);
/** What is stored with the session of the request. A grant is found by what is bound only. */
const modelsOfSession: ReadonlySet<string> = new Set([...boundModels, 'Grant', 'Interaction']);

/** The characters of an access token: one more than those of the others, so that no kind is looked for among another. */
export const accessTokenLength = 44;

interface NewArtifact {
  readonly model: string;
  readonly id: string;
  readonly payload: Payload;
  /** In seconds. */
  readonly expiresIn: number;
  readonly uid?: string | null;
  readonly sessionId?: string | null;
  readonly clientId?: string | null;
  readonly grantId?: string | null;
}

/** Writes an artifact, or replaces it. */
export async function writeArtifact(
  { db, settings }: OpenIdContext,
  {
    model,
    id,
    payload,
    expiresIn,
    uid = null,
    sessionId = null,
    clientId = null,
    grantId = null,
  }: NewArtifact,
): Promise<void> {
  const expiresAt = new Date(settings.now() + expiresIn * 1000);
  const hash = artifactHash(model, id);
  await write(db, hash, model, uid, sessionId, clientId, grantId, JSON.stringify(payload), expiresAt);
}

const write = compiledOnce(
  (
    db: Kysely<Tables>,
    id_hash: string,
    model: string,
    uid: string | null,
    session_id: string | null,
    client_id: string | null,
    grant_id: string | null,
    payload: string,
    expires_at: Date,
  ) => {
    const values = { payload, grant_id, expires_at };
    return openIdTables(db)
      .insertInto('openid_artifacts')
      .values({ id_hash, model, uid, session_id, client_id, ...values, consumed_at: null })
      .onConflict((conflict) => conflict.column('id_hash').doUpdateSet(values))
      .compile();
  },
);

interface Found {
  readonly payload: Payload;
  readonly consumedAt: Date | null;
  readonly sessionId: string | null;
}

/** An artifact that has not expired, and whose session has not ended. */
export async function findArtifact(
  { db, settings }: OpenIdContext,
  model: string,
  id: string,
): Promise<Found | null> {
  const find = boundModels.has(model) ? findBound : findFree;
  const [row] = (await find(db, artifactHash(model, id), new Date(settings.now()))).rows;
  if (row === undefined) return null;
  return { payload: row.payload, consumedAt: row.consumed_at, sessionId: row.session_id };
}

const findFree = compiledOnce((db: Kysely<Tables>, hash: string, now: Date) =>
  openIdTables(db)
    .selectFrom('openid_artifacts')
    .select(['payload', 'consumed_at', 'session_id'])
    .where('id_hash', '=', hash)
    .where('expires_at', '>', now)
    .compile(),
);

const findBound = compiledOnce((db: Kysely<Tables>, hash: string, now: Date) =>
  openIdTables(db)
    .selectFrom('openid_artifacts')
    .innerJoin('sessions', 'sessions.id', 'openid_artifacts.session_id')
    .innerJoin('users', 'users.uid', 'sessions.uid')
    .select(['payload', 'consumed_at', 'session_id'])
    .where('id_hash', '=', hash)
    .where('openid_artifacts.expires_at', '>', now)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('users.disabled_at', 'is', null)
    .compile(),
);

const consume = compiledOnce((db: Kysely<Tables>, hash: string, now: Date) =>
  openIdTables(db)
    .updateTable('openid_artifacts')
    .set({ consumed_at: now })
    .where('id_hash', '=', hash)
    .where('consumed_at', 'is', null)
    .returning('id_hash')
    .compile(),
);

async function removeArtifact({ db }: OpenIdContext, model: string, id: string): Promise<void> {
  await openIdTables(db)
    .deleteFrom('openid_artifacts')
    .where('id_hash', '=', artifactHash(model, id))
    .execute();
}

/** Removes the codes and tokens of a grant, of all kinds. */
async function removeTokensOf(db: Kysely<Tables>, grantId: string): Promise<void> {
  await openIdTables(db)
    .deleteFrom('openid_artifacts')
    .where('grant_id', '=', grantId)
    .where('model', 'not in', ['Connection', 'Interaction'])
    .execute();
}

/** How long a refresh token works after it was rotated, in ms: two tabs renew at once, and a response may be lost. */
const graceMilliseconds = 30_000;

/** The session of the family, and its user. */
interface OwnSession {
  readonly id: string;
  readonly uid: string;
}

/** Functions that the adapters need of the request. */
export interface AdapterParts {
  /** The session in the cookie of the request that the library carries out; `null` without one. */
  readonly session: () => Promise<OwnSession | null>;
  /** The metadata of a client. */
  readonly client: (id: string) => Promise<AdapterPayload | undefined>;
  /** The failure of a request with a code, token or request that another one has used in the meantime. */
  readonly usedTwice: (model: string) => Error;
  /** Remembers that a session is connected to the applications that it has grants of. */
  readonly connect: (session: OwnSession, payload: AdapterPayload) => Promise<void>;
}

/** The storage of oidc-provider for one model, in the database that all processes share. */
export function adapterOf(context: OpenIdContext, parts: AdapterParts): (model: string) => Adapter {
  const { db, settings } = context;
  const none = (): Promise<undefined> => Promise.resolve(undefined);
  return (model) => ({
    upsert: async (id, { jti: _id, ...payload }, expiresIn = 1) => {
      const session = modelsOfSession.has(model) && payload.sid === undefined ? await parts.session() : null;
      // A session of the library without a user, or of another one than the cookie names, is not kept.
      if (model === 'Session' && (session === null || payload.accountId !== session.uid)) return;
      if (model === 'Session' && session !== null) await parts.connect(session, payload);
      await writeArtifact(context, {
        model,
        id,
        payload,
        expiresIn: Math.max(1, expiresIn),
        uid: payload.accountId ?? null,
        clientId: payload.clientId ?? null,
        grantId: payload.grantId ?? null,
        sessionId: payload.sid ?? session?.id ?? null,
      });
    },
    find: async (id) => {
      if (model === 'Client') return parts.client(id);
      if (model.endsWith('Token') && (model === 'AccessToken') !== (id.length === accessTokenLength))
        return undefined;
      const found = await findArtifact(context, model, id);
      if (found === null) return undefined;
      const { payload, consumedAt, sessionId } = found;
      if (model === 'Session') {
        const isOwn = sessionId === (await parts.session())?.id;
        return isOwn ? { ...payload, jti: id, uid: sessionId } : undefined;
      }
      const isUsed =
        consumedAt !== null &&
        (model !== 'RefreshToken' || consumedAt.getTime() + graceMilliseconds <= settings.now());
      return {
        ...payload,
        jti: id,
        ...(sessionId === null ? {} : { sid: sessionId }),
        ...(isUsed ? { consumed: Math.floor(consumedAt.getTime() / 1000) } : {}),
      };
    },
    findByUid: none,
    findByUserCode: none,
    consume: async (id) => {
      const now = settings.now();
      const used = await consume(db, artifactHash(model, id), new Date(now));
      if (used.rows.length > 0) return;
      const other = await openIdTables(db)
        .selectFrom('openid_artifacts')
        .select(['grant_id', 'consumed_at'])
        .where('id_hash', '=', artifactHash(model, id))
        .executeTakeFirst();
      const usedAt = other?.consumed_at?.getTime() ?? 0;
      if (model === 'RefreshToken' && usedAt + graceMilliseconds > now) return;
      // The tokens of the other request may be written after this.
      if (other !== undefined && other.grant_id !== null) {
        await removeArtifact(context, 'Grant', other.grant_id);
        await removeTokensOf(db, other.grant_id);
      }
      throw parts.usedTwice(model);
    },
    destroy: (id) => removeArtifact(context, model, id),
    revokeByGrantId: (grantId) => removeTokensOf(db, grantId),
  });
}
