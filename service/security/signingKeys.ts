import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JSONWebKeySet,
  type JWK,
} from 'jose';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables';

/** ES256 is the signature that every JWT library knows, with short tokens (cookies hold 4,096 bytes). */
export const signingAlgorithm = 'ES256';

/** The service's signing keys. */
export interface SigningKeys {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  /** For `/.well-known/jwks.json`: every key whose tokens may still live. */
  readonly publicKeys: JSONWebKeySet;
}

/** Serialises the creation of the first key among instances that start together on one database. */
const creationLock = 0x7665_7374;

/** Reads the keys from the database; creates the first one. The newest signs. */
export async function loadSigningKeys(db: Kysely<Tables>): Promise<SigningKeys> {
  const rows = await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${creationLock})`.execute(trx);
    const present = await trx.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc').execute();
    if (present.length > 0) return present;
    const created = await createKey();
    return [await trx.insertInto('signing_keys').values(created).returningAll().executeTakeFirstOrThrow()];
  });
  const newest = rows[0];
  if (newest === undefined) throw new Error('The database holds no signing key.');
  const privateKey = await importJWK(newest.private_jwk, signingAlgorithm);
  if (privateKey instanceof Uint8Array) throw new Error('The signing key in the database is not a key pair.');
  return { kid: newest.kid, privateKey, publicKeys: { keys: rows.map((row) => row.public_jwk) } };
}

async function createKey(): Promise<{ kid: string; private_jwk: string; public_jwk: string }> {
  const pair = await generateKeyPair(signingAlgorithm, { extractable: true });
  const publicJwk: JWK = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  return {
    kid,
    private_jwk: JSON.stringify(await exportJWK(pair.privateKey)),
    public_jwk: JSON.stringify({ ...publicJwk, kid, alg: signingAlgorithm, use: 'sig' }),
  };
}
