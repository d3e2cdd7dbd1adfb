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
import { trialSetting } from '../../platform/database/transaction.ts';
import { databaseTime } from '../../platform/database/databaseTime.ts';
import type { Tables } from '../database/tables.ts';
import type { Logger } from '../../platform/settings/options.ts';
import { KeyFault, sealedPrefix, type SecretBox } from '../../platform/security/secretBox.ts';

/** ES256 is supported by every JWT library, and its tokens are short (a cookie holds 4,096 bytes). */
export const signingAlgorithm = 'ES256';

/** For clients of OpenID Connect that cannot verify ES256. */
const rsaAlgorithm = 'RS256';

interface PrivateKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  /** The RSA key that is rotated with it; `null` without the setting `rsaKeys`. */
  readonly rsa: { readonly kid: string; readonly privateKey: KeyObject } | null;
}

/** The signing keys as this process has read them. */
export interface SigningKeys {
  /** The key that signs now. @throws KeyFault if none was opened. */
  readonly signer: () => PrivateKey;
  /** All keys, newest first. */
  readonly all: () => readonly PrivateKey[];
  /** The keys of `/.well-known/jwks.json`: those whose tokens may still be valid, and those that will sign later. @throws KeyFault without any. */
  readonly publicKeys: () => JSONWebKeySet;
  /** Whether this process could open the stored key that signs now. */
  readonly isComplete: () => boolean;
  /** Finds the key of a token. @throws KeyFault if this process could not open it, but others may sign with it. */
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

/**
 * Serialises processes that start at the same time, so that one creates the first key and one seals. A trial changes nothing and takes no
 * lock.
 */
export async function lockKeys(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${0x7665_7374})
    where current_setting(${trialSetting}, true) is distinct from 'on'`.execute(trx);
}

/** The owner for which a signing key is sealed: see `SecretBox.seal`. */
export function signingKeyOwner(kid: string): string {
  return `signing-key:${kid}`;
}

/** The owner for which the RSA key beside it is sealed. */
export function rsaKeyOwner(kid: string): string {
  return `rsa-key:${kid}`;
}

/** A condition: whether a key is still in the database. A process may not have read its revocation yet. */
export function isTrustedKey(kid: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from signing_keys where signing_keys.kid = ${kid})`;
}

/**
 * Reads the keys from the database, and creates the first one. An opened key is used as long as it is in the database. A key that does not
 * open is logged and not published, so that write access to the database is not enough to publish a key. If it no longer signs, its tokens
 * are refused like those of a revoked key.
 *
 * @param now milliseconds since 1970.
 * @param options `rsaKeys`: makes and publishes an RSA key beside each.
 */
export async function loadSigningKeys(
  db: Kysely<Tables>,
  box: SecretBox,
  now: () => number,
  logger: Logger,
  { rsaKeys = false }: { readonly rsaKeys?: boolean } = {},
): Promise<SigningKeys> {
  await db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    const present = await trx.selectFrom('signing_keys').select('kid').executeTakeFirst();
    if (present === undefined)
      await trx
        .insertInto('signing_keys')
        .values({ ...(await createKey(box)), created_at: databaseTime(now) })
        .execute();
  });
  const read = (): Promise<readonly KeyRow[]> => (rsaKeys ? readRowsWithRsa(db, box) : readRows(db));
  const refuse = (kind: 'signing' | 'RSA') => (kid: string) => {
    logger.error(`${kind} key refused: it does not open`, { kid });
  };
  let rows = await read();
  let opened = openKeys(rows, box, { onRefused: refuse('signing'), onRsaRefused: refuse('RSA') });
  const stored = () => storedSigner(rows, opened, now());
  const isComplete = (): boolean => {
    const signing = stored();
    return signing !== undefined && !opened.faults.has(signing.kid);
  };
  return {
    signer: () => {
      const signing = signerOf(opened.keys, now());
      if (signing === undefined) throw noKey();
      return signing;
    },
    all: () => opened.keys,
    publicKeys: () => {
      const set = publicKeysOf(opened.keys);
      // Applications would cache an empty set.
      if (set.keys.length === 0) throw noKey();
      return set;
    },
    isComplete,
    find: (header, token) => {
      const kid = header.kid ?? '';
      const missing = opened.keys.some((key) => key.kid === kid) ? undefined : opened.faults.get(kid);
      if (missing === undefined) return opened.find(header, token);
      const isFormer = missing.signsFrom < (stored()?.signsFrom ?? 0);
      if (!isFormer || !isComplete()) throw missing.fault;
      return opened.find(header, token);
    },
    reload: async () => {
      const present = await read();
      if (isDeepStrictEqual(present, rows)) return;
      rows = present;
      const { keys: former } = opened;
      opened = openKeys(rows, box, { former, onRefused: refuse('signing'), onRsaRefused: refuse('RSA') });
    },
  };
}

const noKey = (): KeyFault => new KeyFault('This process has no signing key.');

interface SigningKey extends PrivateKey {
  readonly publicJwks: readonly JWK[];
  /** Milliseconds since 1970. */
  readonly signsFrom: number;
}

/** @param keys in the order of `readRows`. */
function signerOf<Key extends Pick<SigningKey, 'signsFrom'>>(
  keys: readonly Key[],
  now: number,
): Key | undefined {
  return keys.find(({ signsFrom }) => signsFrom <= now) ?? keys.at(-1);
}

/** The stored key that signs now, even if it does not open. */
function storedSigner(
  rows: readonly KeyRow[],
  { keys, faults }: OpenedKeys,
  now: number,
): Pick<SigningKey, 'kid' | 'signsFrom'> | undefined {
  const stored = rows.filter(({ kid }) => faults.has(kid) || keys.some((key) => key.kid === kid));
  return signerOf(
    stored.map(({ kid, created_at }) => ({ kid, signsFrom: created_at.getTime() })),
    now,
  );
}

/** A stored key that does not open. */
export interface ClosedKey {
  readonly kid: string;
  /** Whether it signs now. */
  readonly isSigner: boolean;
}

/** The sealed keys that do not open. @param now milliseconds since 1970. */
export async function closedKeys(
  db: Kysely<Tables>,
  box: SecretBox,
  now: number,
): Promise<readonly ClosedKey[]> {
  const rows = await readRows(db);
  const opened = openKeys(rows, box);
  const signing = storedSigner(rows, opened, now);
  return [...opened.faults.keys()].map((kid) => ({ kid, isSigner: kid === signing?.kid }));
}

type KeyRow = Pick<Selectable<Tables['signing_keys']>, 'kid' | 'private_key' | 'created_at'> & {
  readonly rsa_key?: string | null;
};

/** Newest first. */
function readRows(db: Kysely<Tables>): Promise<readonly KeyRow[]> {
  const rows = db.selectFrom('signing_keys').select(['kid', 'private_key', 'created_at']);
  return rows.orderBy('created_at', 'desc').execute();
}

/** As `readRows`, and makes the RSA keys that are missing: also beside keys of a command and of an earlier release. */
async function readRowsWithRsa(db: Kysely<Tables>, box: SecretBox): Promise<readonly KeyRow[]> {
  const read = (from: Kysely<Tables>) =>
    from
      .selectFrom('signing_keys')
      .select(['kid', 'private_key', 'created_at', 'rsa_key'])
      .orderBy('created_at', 'desc')
      .execute();
  const rows = await read(db);
  if (rows.every(({ rsa_key }) => rsa_key !== null)) return rows;
  return db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    for (const { kid } of (await read(trx)).filter(({ rsa_key }) => rsa_key === null)) {
      const { privateKey } = await generateKeyPair(rsaAlgorithm, { extractable: true });
      const rsa_key = box.seal(JSON.stringify(await exportJWK(privateKey)), rsaKeyOwner(kid));
      await trx.updateTable('signing_keys').set({ rsa_key }).where('kid', '=', kid).execute();
    }
    return read(trx);
  });
}

interface OpenedKeys {
  /** Newest first. */
  readonly keys: readonly SigningKey[];
  readonly find: JWTVerifyGetKey;
  /** Why keys do not open, by their ids. Plaintext is no key: someone else has written it. */
  readonly faults: ReadonlyMap<string, { readonly fault: KeyFault; readonly signsFrom: number }>;
}

/** @param former the keys that were opened before: they replace those that do not open. */
function openKeys(
  rows: readonly KeyRow[],
  box: SecretBox,
  {
    former = [],
    onRefused,
    onRsaRefused,
  }: {
    readonly former?: readonly SigningKey[];
    readonly onRefused?: (kid: string) => void;
    readonly onRsaRefused?: (kid: string) => void;
  } = {},
): OpenedKeys {
  const faults = new Map<string, { readonly fault: KeyFault; readonly signsFrom: number }>();
  const keys = rows.flatMap((row): readonly SigningKey[] => {
    const { kid, private_key, created_at } = row;
    const before = former.find((key) => key.kid === kid);
    const signsFrom = created_at.getTime();
    try {
      return [openKey(row, box, before, onRsaRefused)];
    } catch (error) {
      onRefused?.(kid);
      if (private_key.startsWith(sealedPrefix))
        faults.set(kid, {
          fault: new KeyFault(`The signing key ${kid} does not open.`, { cause: error }),
          signsFrom,
        });
      return before === undefined ? [] : [{ ...before, signsFrom }];
    }
  });
  return { keys, find: createLocalJWKSet(publicKeysOf(keys)), faults };
}

/**
 * Derives the public key from the private one, because the stored public key is neither encrypted nor bound to it. An RSA key that does
 * not open is left out, or stays as it was opened before: an earlier release does not seal it again, and sessions do not need it.
 */
function openKey(
  { kid, private_key, created_at, rsa_key = null }: KeyRow,
  box: SecretBox,
  before: SigningKey | undefined,
  onRsaRefused?: (kid: string) => void,
): SigningKey {
  const privateKey = privateKeyFrom(box.open(private_key, signingKeyOwner(kid)));
  const own = publicJwkOf(createPublicKey(privateKey).export({ format: 'jwk' }), kid);
  const signsFrom = created_at.getTime();
  let rsa = rsa_key === null ? null : openRsaKey(kid, rsa_key, box);
  if (rsa_key !== null && rsa === null) {
    onRsaRefused?.(kid);
    rsa = before?.rsa ?? null;
  }
  if (rsa === null) return { kid, privateKey, signsFrom, rsa, publicJwks: [own] };
  const rsaJwk = createPublicKey(rsa.privateKey).export({ format: 'jwk' });
  return { kid, privateKey, signsFrom, rsa, publicJwks: [own, publicJwkOf(rsaJwk, rsa.kid, rsaAlgorithm)] };
}

/** @returns `null` if it does not open. */
function openRsaKey(kid: string, sealed: string, box: SecretBox): PrivateKey['rsa'] {
  try {
    const privateKey = privateKeyFrom(box.open(sealed, rsaKeyOwner(kid)));
    return { kid: `${kid}-${rsaAlgorithm}`, privateKey };
  } catch {
    return null;
  }
}

const privateKeyFrom = (jwk: string): KeyObject =>
  createPrivateKey({ key: JSON.parse(jwk) as JsonWebKey, format: 'jwk' });

const publicJwkOf = (jwk: JWK, kid: string, alg: string = signingAlgorithm): JWK => ({
  ...jwk,
  kid,
  alg,
  use: 'sig',
});

const publicKeysOf = (keys: readonly SigningKey[]): JSONWebKeySet => ({
  keys: keys.flatMap(({ publicJwks }) => publicJwks),
});

/**
 * Adds a key that is published now and signs later, by the clock of the database.
 *
 * @param now the clock of the service, in milliseconds since 1970.
 * @param onlyIfOlderThanMilliseconds no key is added if the newest is younger; several processes may try at once.
 * @returns `null` if none was added.
 */
export async function addSigningKey(
  db: Kysely<Tables>,
  box: SecretBox,
  now: () => number,
  onlyIfOlderThanMilliseconds = 0,
): Promise<{ readonly kid: string; readonly signsFrom: Date } | null> {
  return db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    const young = await trx
      .selectFrom('signing_keys')
      .select('kid')
      .where('created_at', '>', databaseTime(now, onlyIfOlderThanMilliseconds))
      .limit(1)
      .executeTakeFirst();
    if (onlyIfOlderThanMilliseconds > 0 && young !== undefined) return null;
    const created = await createKey(box);
    const { created_at: signsFrom } = await trx
      .insertInto('signing_keys')
      .values({ ...created, created_at: databaseTime(now, -publishedAheadMilliseconds) })
      .returning('created_at')
      .executeTakeFirstOrThrow();
    return { kid: created.kid, signsFrom };
  });
}

/**
 * Removes a compromised key. All processes reject its tokens at once; if it was the current key, a new one signs from
 * now on.
 *
 * @param now the clock of the service, in milliseconds since 1970.
 * @returns the id of the key that signs now; `null` if no key has the id `kid`.
 */
export async function revokeSigningKey(
  trx: Transaction<Tables>,
  box: SecretBox,
  kid: string,
  now: () => number,
): Promise<string | null> {
  await lockKeys(trx);
  const signer = signerOf(openKeys(await readRows(trx), box).keys, now());
  const { numDeletedRows } = await trx.deleteFrom('signing_keys').where('kid', '=', kid).executeTakeFirst();
  if (numDeletedRows === 0n) return null;
  if (signer !== undefined && signer.kid !== kid) return signer.kid;
  const created = await createKey(box);
  await trx
    .insertInto('signing_keys')
    .values({ ...created, created_at: databaseTime(now) })
    .execute();
  return created.kid;
}

/**
 * Removes keys whose tokens have all expired: a successor has signed for longer than the longest lifetime of a token.
 *
 * @param now the clock of the service, in milliseconds since 1970.
 */
export async function retireSigningKeys(
  db: Kysely<Tables>,
  now: () => number,
  longestLifeMilliseconds: number,
): Promise<void> {
  const successor = db
    .selectFrom('signing_keys')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .where('created_at', '<', databaseTime(now, longestLifeMilliseconds));
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
