import type { Kysely } from 'kysely';
import { compiledOnce } from '../platform/database/compiledOnce.ts';
import type { Tables } from '../platform/database/tables.ts';
import { hashOfToken } from '../platform/security/opaqueTokens.ts';
import type { ServiceContext } from '../platform/serviceContext.ts';
import type { Adapter, Payload } from './library.ts';

type Context = Pick<ServiceContext, 'db' | 'settings'>;

/** A stored artifact, by the hash of its id. */
export const artifactHash = (model: string, id: string): string => hashOfToken(`${model} ${id}`);

/** What belongs to a session and is refused as soon as that has ended. */
const boundModels: ReadonlySet<string> = new Set([
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
  'Grant',
]);

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
  { db, settings }: Context,
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
    db,
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
    return db
      .insertInto('openid_artifacts')
      .values({ id_hash, model, uid, session_id, client_id, ...values, consumed_at: null })
      .onConflict((conflict) => conflict.column('id_hash').doUpdateSet(values))
      .compile();
  },
);

/** An artifact that has not expired, and whose session has not ended. */
export async function findArtifact(
  { db, settings }: Context,
  model: string,
  id: string,
): Promise<{ readonly payload: Payload; readonly consumedAt: Date | null } | null> {
  const find = boundModels.has(model) ? findBound : findFree;
  const [row] = (await find(db, artifactHash(model, id), new Date(settings.now()))).rows;
  return row === undefined ? null : { payload: row.payload, consumedAt: row.consumed_at };
}

const findFree = compiledOnce((db, hash: string, now: Date) =>
  db
    .selectFrom('openid_artifacts')
    .select(['payload', 'consumed_at'])
    .where('id_hash', '=', hash)
    .where('expires_at', '>', now)
    .compile(),
);

const findBound = compiledOnce((db, hash: string, now: Date) =>
  db
    .selectFrom('openid_artifacts')
    .innerJoin('sessions', 'sessions.id', 'openid_artifacts.session_id')
    .innerJoin('users', 'users.uid', 'sessions.uid')
    .select(['payload', 'consumed_at'])
    .where('id_hash', '=', hash)
    .where('openid_artifacts.expires_at', '>', now)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('users.disabled_at', 'is', null)
    .compile(),
);

const consume = compiledOnce((db, hash: string, now: Date) =>
  db
    .updateTable('openid_artifacts')
    .set({ consumed_at: now })
    .where('id_hash', '=', hash)
    .where('consumed_at', 'is', null)
    .returning('id_hash')
    .compile(),
);

async function removeArtifact({ db }: Pick<Context, 'db'>, model: string, id: string): Promise<void> {
  await db.deleteFrom('openid_artifacts').where('id_hash', '=', artifactHash(model, id)).execute();
}

/** Removes the codes and tokens of a grant, of all kinds. */
async function removeTokensOf(db: Kysely<Tables>, grantId: string): Promise<void> {
  await db
    .deleteFrom('openid_artifacts')
    .where('grant_id', '=', grantId)
    .where('model', '!=', 'Connection')
    .execute();
}

/** Functions that the adapters need of the request. */
export interface AdapterParts {
  /** The session of the request that is carried out. */
  readonly sessionId: () => string | undefined;
  /** The metadata of a client. */
  readonly client: (id: string) => Promise<Payload | undefined>;
  /** The failure of a request with a code, token or request that another one has used in the meantime. */
  readonly usedTwice: (model: string) => Error;
}

/** The storage of oidc-provider for one model, in the database that all processes share. */
export function adapterOf(context: Context, parts: AdapterParts): (model: string) => Adapter {
  const { db, settings } = context;
  const none = (): Promise<undefined> => Promise.resolve(undefined);
  return (model) => ({
    upsert: (id, { jti: _id, ...payload }, expiresIn = 1) =>
      writeArtifact(context, {
        model,
        id,
        payload,
        expiresIn: Math.max(1, expiresIn),
        ...ownersOf(model, payload, parts.sessionId()),
      }),
    find: async (id) => {
      if (model === 'Client') return parts.client(id);
      const found = await findArtifact(context, model, id);
      if (found === null) return undefined;
      const { payload, consumedAt } = found;
      const consumed = consumedAt === null ? {} : { consumed: Math.floor(consumedAt.getTime() / 1000) };
      return { ...payload, jti: id, ...consumed };
    },
    findByUid: none,
    findByUserCode: none,
    consume: async (id) => {
      const used = await consume(db, artifactHash(model, id), new Date(settings.now()));
      if (used.rows.length > 0) return;
      const other = await db
        .selectFrom('openid_artifacts')
        .select('grant_id')
        .where('id_hash', '=', artifactHash(model, id))
        .executeTakeFirst();
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

function ownersOf(
  model: string,
  payload: Payload,
  sessionId: string | undefined,
): Pick<NewArtifact, 'uid' | 'sessionId' | 'clientId' | 'grantId'> {
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    uid: text(payload['accountId']),
    clientId: text(payload['clientId']),
    grantId: text(payload['grantId']),
    sessionId: boundModels.has(model) ? (text(payload['sessionUid']) ?? sessionId ?? null) : null,
  };
}
