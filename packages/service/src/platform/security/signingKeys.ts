import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import {
  sql,
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type Transaction,
} from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Logger } from '../settings/options.ts';
import type { SecretBox } from './secretBox.ts';

/** ES256 is supported by every JWT library, and its tokens are short (a cookie holds 4,096 bytes). */
export const signingAlgorithm = 'ES256';

interface PrivateKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** The signing keys as this process has read them. */
export interface SigningKeys {
  /** The key that signs now. */
  readonly signer: () => PrivateKey;
  /** All keys, newest first. */
  readonly all: () => readonly PrivateKey[];
  /** The keys of `/.well-known/jwks.json`: those whose tokens may still be valid, and those that will sign later. */
  readonly publicKeys: () => JSONWebKeySet;
  /** Finds the key of a token. */
  readonly find: JWTVerifyGetKey;
  /** Reads the keys again: another process may have added or removed one. */
  readonly reload: () => Promise<void>;
}

/** How often each process reads the keys again. Until then it still uses a key that another process has revoked. */
export const reloadMilliseconds = 500;

/**
 * How long a key is published before it signs. Applications may cache the key set for five minutes, and processes of
 * earlier releases read the keys every minute.
 */
export const publishedAheadMilliseconds = 15 * 60_000;

/** Serialises processes that start at the same time: one creates the first key, one seals. */
export async function lockKeys(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${0x7665_7374})`.execute(trx);
}

/** The owner for which a signing key is sealed: see `SecretBox.seal`. */
export function signingKeyOwner(kid: string): string {
  return `signing-key:${kid}`;
}

/** A condition: whether a key is still in the database. A process may not have read its revocation yet. */
export function isTrustedKey(kid: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from signing_keys where signing_keys.kid = ${kid})`;
}

/**
 * Reads the keys from the database, and creates the first one. A later key that does not open is ignored and logged,
 * so that write access to the database is not enough to publish a key.
 *
 * @param now milliseconds since 1970.
 * @throws Error if one does not open with the key of this service.
 */
export async function loadSigningKeys(
  db: Kysely<Tables>,
  box: SecretBox,
  now: () => number,
  logger: Logger,
): Promise<SigningKeys> {
  await db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    const present = await trx.selectFrom('signing_keys').select('kid').executeTakeFirst();
    if (present === undefined)
      await trx
        .insertInto('signing_keys')
        .values({ ...(await createKey(box)), created_at: new Date(now()) })
        .execute();
  });
  let rows = await readRows(db);
  let keys: readonly SigningKey[] = rows.map((row) => openKey(row, box));
  let find = createLocalJWKSet(publicKeysOf(keys));
  return {
    signer: () => {
      const signing = signerOf(keys, now());
      if (signing === undefined) throw new Error('The database holds no signing key.');
      return signing;
    },
    all: () => keys,
    publicKeys: () => publicKeysOf(keys),
    find: (header, token) => find(header, token),
    reload: async () => {
      const present = await readRows(db);
      if (isDeepStrictEqual(present, rows)) return;
      rows = present;
      keys = openKeys(rows, box, (kid) => {
        logger.error('signing key refused: it does not open', { kid });
      });
      find = createLocalJWKSet(publicKeysOf(keys));
    },
  };
}

interface SigningKey extends PrivateKey {
  readonly publicJwk: JWK;
  /** Milliseconds since 1970. */
  readonly signsFrom: number;
}

/** @param keys in the order of `readRows`. */
function signerOf(keys: readonly SigningKey[], now: number): SigningKey | undefined {
  return keys.find(({ signsFrom }) => signsFrom <= now) ?? keys.at(-1);
}

type KeyRow = Pick<Selectable<Tables['signing_keys']>, 'kid' | 'private_key' | 'created_at'>;

/** Newest first. */
function readRows(db: Kysely<Tables>): Promise<readonly KeyRow[]> {
  const rows = db.selectFrom('signing_keys').select(['kid', 'private_key', 'created_at']);
  return rows.orderBy('created_at', 'desc').execute();
}

function openKeys(
  rows: readonly KeyRow[],
  box: SecretBox,
  onRefused?: (kid: string) => void,
): readonly SigningKey[] {
  return rows.flatMap((row) => {
    try {
      return [openKey(row, box)];
    } catch {
      onRefused?.(row.kid);
      return [];
    }
  });
}

/**
 * Derives the public key from the private one, because the stored public key is neither encrypted nor bound to it.
 */
function openKey({ kid, private_key, created_at }: KeyRow, box: SecretBox): SigningKey {
  const key = JSON.parse(box.open(private_key, signingKeyOwner(kid))) as JsonWebKey;
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  const publicJwk = publicJwkOf(createPublicKey(privateKey).export({ format: 'jwk' }), kid);
  return { kid, privateKey, publicJwk, signsFrom: created_at.getTime() };
}

const publicJwkOf = (jwk: JWK, kid: string): JWK => ({ ...jwk, kid, alg: signingAlgorithm, use: 'sig' });

const publicKeysOf = (keys: readonly SigningKey[]): JSONWebKeySet => ({
  keys: keys.map(({ publicJwk }) => publicJwk),
});

/**
 * Adds a key that is published now and signs later.
 *
 * @param now milliseconds since 1970.
 * @param onlyIfOlderThanMilliseconds no key is added if the newest is younger; several processes may try at once.
 * @returns `null` if none was added.
 */
export async function addSigningKey(
  db: Kysely<Tables>,
  box: SecretBox,
  now: number,
  onlyIfOlderThanMilliseconds = 0,
): Promise<{ readonly kid: string; readonly signsFrom: Date } | null> {
  return db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    const newest = await trx
      .selectFrom('signing_keys')
      .select('created_at')
      .orderBy('created_at', 'desc')
      .executeTakeFirst();
    const isYoung = newest !== undefined && newest.created_at.getTime() > now - onlyIfOlderThanMilliseconds;
    if (onlyIfOlderThanMilliseconds > 0 && isYoung) return null;
    const signsFrom = new Date(now + publishedAheadMilliseconds);
    const created = await createKey(box);
    await trx
      .insertInto('signing_keys')
      .values({ ...created, created_at: signsFrom })
      .execute();
    return { kid: created.kid, signsFrom };
  });
}

/**
 * Removes a compromised key. All processes reject its tokens at once; if it was the current key, a new one signs from
 * now on.
 *
 * @param now milliseconds since 1970.
 * @returns the id of the key that signs now; `null` if no key has the id `kid`.
 */
export async function revokeSigningKey(
  trx: Transaction<Tables>,
  box: SecretBox,
  kid: string,
  now: number,
): Promise<string | null> {
  await lockKeys(trx);
  const signer = signerOf(openKeys(await readRows(trx), box), now);
  const { numDeletedRows } = await trx.deleteFrom('signing_keys').where('kid', '=', kid).executeTakeFirst();
  if (numDeletedRows === 0n) return null;
  if (signer !== undefined && signer.kid !== kid) return signer.kid;
  const created = await createKey(box);
  await trx
    .insertInto('signing_keys')
    .values({ ...created, created_at: new Date(now) })
    .execute();
  return created.kid;
}

/**
 * Removes keys whose tokens have all expired: a successor has signed for longer than the longest lifetime of a token.
 *
 * @param now milliseconds since 1970.
 */
export async function retireSigningKeys(
  db: Kysely<Tables>,
  now: number,
  longestLifeMilliseconds: number,
): Promise<void> {
  const successor = db
    .selectFrom('signing_keys')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .where('created_at', '<', new Date(now - longestLifeMilliseconds));
  await db.deleteFrom('signing_keys').where('created_at', '<', successor).execute();
}

/** Short, because every token in a cookie contains the id. 48 bits distinguish the few keys of a service. */
const kidLength = 8;

async function createKey(box: SecretBox): Promise<Insertable<Tables['signing_keys']>> {
  const pair = await generateKeyPair(signingAlgorithm, { extractable: true });
  const publicJwk: JWK = await exportJWK(pair.publicKey);
  const kid = (await calculateJwkThumbprint(publicJwk)).slice(0, kidLength);
  return {
    kid,
    private_key: box.seal(JSON.stringify(await exportJWK(pair.privateKey)), signingKeyOwner(kid)),
    // Used by processes of earlier releases.
    public_jwk: JSON.stringify(publicJwkOf(publicJwk, kid)),
  };
}
