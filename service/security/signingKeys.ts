import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JSONWebKeySet,
  type JWK,
} from 'jose';
import { sql, type Insertable, type Kysely, type Transaction } from 'kysely';
import type { Tables } from '../database/tables';
import type { SecretBox } from './secretBox';

/** ES256 is the signature that every JWT library knows, with short tokens (cookies hold 4,096 bytes). */
export const signingAlgorithm = 'ES256';

/** The service's signing keys. */
export interface SigningKeys {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  /** For `/.well-known/jwks.json`: every key whose tokens may still live. */
  readonly publicKeys: JSONWebKeySet;
}

/** Serialises the instances that start together on one database: one creates the first key, one seals. */
export async function lockKeys(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${0x7665_7374})`.execute(trx);
}

/** What a sealed signing key is bound to: see `SecretBox.seal`. */
export function signingKeyOwner(kid: string): string {
  return `signing-key:${kid}`;
}

/**
 * Reads the keys from the database; creates the first one. The newest signs.
 *
 * @throws Error when it is sealed, and does not open with the key of this service.
 */
export async function loadSigningKeys(db: Kysely<Tables>, box: SecretBox): Promise<SigningKeys> {
  const rows = await db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    const present = await trx.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc').execute();
    if (present.length > 0) return present;
    const created = await createKey(box);
    return [await trx.insertInto('signing_keys').values(created).returningAll().executeTakeFirstOrThrow()];
  });
  const newest = rows[0];
  if (newest === undefined) throw new Error('The database holds no signing key.');
  const jwk = JSON.parse(box.open(newest.private_key, signingKeyOwner(newest.kid))) as JWK;
  const privateKey = await importJWK(jwk, signingAlgorithm);
  if (privateKey instanceof Uint8Array) throw new Error('The signing key in the database is not a key pair.');
  return { kid: newest.kid, privateKey, publicKeys: { keys: rows.map((row) => row.public_jwk) } };
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
