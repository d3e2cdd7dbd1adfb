import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import { sql, type Insertable, type Kysely, type Transaction } from 'kysely';
import type { Tables } from '../database/tables';
import type { SecretBox } from './secretBox';

/** ES256 is the signature that every JWT library knows, with short tokens (cookies hold 4,096 bytes). */
export const signingAlgorithm = 'ES256';

/** The service's signing keys, as this process knows them. */
export interface SigningKeys {
  /** The key that signs now. */
  readonly signer: () => { readonly kid: string; readonly privateKey: KeyObject };
  /** For `/.well-known/jwks.json`: every key whose tokens may still live, and those that will sign soon. */
  readonly publicKeys: () => JSONWebKeySet;
  /** Finds the key of a token among them. */
  readonly find: JWTVerifyGetKey;
  /** Reads them again: another process may have added or removed one. */
  readonly reload: () => Promise<void>;
}

/** How often each process reads the keys again. */
export const reloadMilliseconds = 60_000;

/**
 * How long a key is published before it signs: processes read the keys every minute, and applications may keep the key set
 * for the five minutes that its answer allows.
 */
export const publishedAheadMilliseconds = 15 * 60_000;

/** Serialises the instances that start together on one database: one creates the first key, one seals. */
export async function lockKeys(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${0x7665_7374})`.execute(trx);
}

/** What a sealed signing key is bound to: see `SecretBox.seal`. */
export function signingKeyOwner(kid: string): string {
  return `signing-key:${kid}`;
}

/**
 * Reads the keys from the database; creates the first one.
 *
 * @param now milliseconds since 1970
 * @throws Error when one is sealed, and does not open with the key of this service.
 */
export async function loadSigningKeys(
  db: Kysely<Tables>,
  box: SecretBox,
  now: () => number,
): Promise<SigningKeys> {
  await db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    const present = await trx.selectFrom('signing_keys').select('kid').executeTakeFirst();
    if (present === undefined)
      await trx
        .insertInto('signing_keys')
        .values(await createKey(box))
        .execute();
  });
  const read = () => readKeys(db, box);
  let keys = await read();
  let find = createLocalJWKSet(publicKeysOf(keys));
  return {
    signer: () => {
      const signing = keys.find(({ signsFrom }) => signsFrom <= now()) ?? keys.at(-1);
      if (signing === undefined) throw new Error('The database holds no signing key.');
      return signing;
    },
    publicKeys: () => publicKeysOf(keys),
    find: (header, token) => find(header, token),
    reload: async () => {
      keys = await read();
      find = createLocalJWKSet(publicKeysOf(keys));
    },
  };
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: JWK;
  /** Milliseconds since 1970. */
  readonly signsFrom: number;
}

/** Newest first. */
async function readKeys(db: Kysely<Tables>, box: SecretBox): Promise<readonly SigningKey[]> {
  const rows = await db.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc').execute();
  return rows.map(({ kid, private_key, public_jwk, created_at }) => {
    const key = JSON.parse(box.open(private_key, signingKeyOwner(kid))) as JsonWebKey;
    const privateKey = createPrivateKey({ key, format: 'jwk' });
    return { kid, privateKey, publicJwk: public_jwk, signsFrom: created_at.getTime() };
  });
}

const publicKeysOf = (keys: readonly SigningKey[]): JSONWebKeySet => ({
  keys: keys.map(({ publicJwk }) => publicJwk),
});

/**
 * Adds a key that is published now and signs later.
 *
 * @param now milliseconds since 1970
 * @param onlyIfOlderThanMilliseconds no key is added where the newest is younger; several processes may ask at once
 * @returns `null` where none was added.
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
 * Removes the keys whose tokens are all over: another key has signed in their place for longer than any token lives.
 *
 * @param now milliseconds since 1970
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

async function createKey(box: SecretBox): Promise<Insertable<Tables['signing_keys']>> {
  const pair = await generateKeyPair(signingAlgorithm, { extractable: true });
  const publicJwk: JWK = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  return {
    kid,
    private_key: box.seal(JSON.stringify(await exportJWK(pair.privateKey)), signingKeyOwner(kid)),
    public_jwk: JSON.stringify({ ...publicJwk, kid, alg: signingAlgorithm, use: 'sig' }),
  };
}
