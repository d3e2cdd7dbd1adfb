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

/** How often each process reads the keys again. Until then it publishes, and signs with, a key that another one has revoked. */
export const reloadMilliseconds = 500;

/**
 * How long a key is published before it signs: applications may keep the key set for the five minutes that its answer allows, and
 * processes of earlier releases read the keys every minute.
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

/** Whether a key is in the database still, as a condition: what a process has read may be older than the key's revocation. */
export function isTrustedKey(kid: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from signing_keys where signing_keys.kid = ${kid})`;
}

/**
 * Reads the keys from the database; creates the first one. One that comes later and does not open is left out, and the log names it: who
 * can only write to the database cannot make a key that is published.
 *
 * @param now milliseconds since 1970
 * @throws Error when one does not open with the key of this service.
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

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: JWK;
  /** Milliseconds since 1970. */
  readonly signsFrom: number;
}

/** Of keys in the order of `readRows`. */
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

/** The public key is derived, and not read from beside it: that lies readable, and is bound to nothing. */
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
 * Removes a key that others may have. What it has signed is refused at once, by every process; if it was the key that signs, a new one
 * signs from now on.
 *
 * @param now milliseconds since 1970
 * @returns the key that signs now; `null` when there is no key of that id.
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
    // For processes of earlier releases.
    public_jwk: JSON.stringify(publicJwkOf(publicJwk, kid)),
  };
}
