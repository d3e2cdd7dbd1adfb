import { sql, type Kysely, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { KeyFault, sealedPrefix, type SecretBox } from '../../platform/security/secretBox.ts';
import { rsaKeyOwner, signingKeyOwner } from './signingKeys.ts';

/** A column of secrets that must be readable, and what each of them is bound to. */
interface Place {
  readonly table: 'signing_keys' | 'mfa_factors' | 'mfa_enrolments' | 'outbox_messages' | 'page_builds';
  readonly column: string;
  readonly id: string;
  readonly ownerOf: (id: string) => string;
}

/** The owner for which a message of the outbox is sealed. */
export function messageOwner(id: string): string {
  return `message ${id}`;
}

/** The owner for which the id of a list of files is sealed. */
export function pageBuildOwner(id: string): string {
  return `page build ${id}`;
}

/** The lists of files. A list that does not open is ignored: see `page/keptFiles.ts`. */
const pageBuilds: Place = { table: 'page_builds', column: 'seal', id: 'id', ownerOf: pageBuildOwner };
const rsaKeys: Place = { table: 'signing_keys', column: 'rsa_key', id: 'kid', ownerOf: rsaKeyOwner };
/** The secrets without which a service does not start: it runs without its RSA keys. */
const needed: readonly Place[] = [
  { table: 'signing_keys', column: 'private_key', id: 'kid', ownerOf: signingKeyOwner },
  { table: 'mfa_factors', column: 'totp_secret', id: 'uid', ownerOf: (uid) => uid },
  { table: 'mfa_enrolments', column: 'totp_secret', id: 'uid', ownerOf: (uid) => uid },
  { table: 'outbox_messages', column: 'body', id: 'id', ownerOf: messageOwner },
];

const batchSize = 500;
const sealedPattern = `${sealedPrefix}%`;

/**
 * At the first start with a key, seals the secrets in the database. A signing key in plaintext is deleted instead,
 * which invalidates its tokens, because copies of it may exist in backups and the write-ahead log; `loadSigningKeys`
 * creates another. Plaintext found at a later start was written by someone else: it is not sealed, and rejected when
 * it is read.
 */
export async function sealPlaintext(trx: Transaction<Tables>, box: SecretBox): Promise<void> {
  await trx.deleteFrom('signing_keys').where('private_key', 'not like', sealedPattern).execute();
  // The keys that are left are sealed.
  const isFirstStart = (await trx.selectFrom('signing_keys').select('kid').executeTakeFirst()) === undefined;
  if (!isFirstStart) return;
  for (const place of [rsaKeys, ...needed]) await sealAll(trx, place, box);
}

/**
 * Opens sealed secrets, without changing them.
 *
 * @param which `some`: at most 500 of each kind, so that a wrong key is detected.
 * @returns the ids of the keys that opened them.
 * @throws KeyFault if the key is missing, or does not match.
 */
export async function openStoredSecrets(
  trx: Transaction<Tables>,
  box: SecretBox,
  which: 'some' | 'all',
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const place of needed)
    for await (const batch of batchesOf(trx, place)) {
      for (const { id, secret } of batch) {
        const keyId = box.keyIdOf(secret, place.ownerOf(id));
        if (keyId !== null) found.add(keyId);
      }
      if (which === 'some') break;
    }
  return found;
}

/**
 * Seals secrets again that another key has sealed than the one that seals now, in batches, so that no call waits. Several
 * processes may do so at once.
 *
 * @returns how many secrets were sealed again.
 * @throws KeyFault if none of the keys opens a secret; it names the secret.
 */
export async function resealStoredSecrets(db: Kysely<Tables>, box: SecretBox): Promise<number> {
  let count = 0;
  // RSA keys first: a service that starts without a former key looks at the others.
  for (const place of [pageBuilds, rsaKeys, ...needed])
    for await (const batch of batchesOf(db, place)) {
      const changed = batch.flatMap(({ id, secret }) => {
        const sealed = resealed(place, id, () => box.reseal(secret, place.ownerOf(id)));
        return sealed === null ? [] : [{ id, secret, sealed }];
      });
      await replaceSecrets(db, place, changed);
      count += changed.length;
    }
  return count;
}

/** Seals a secret again. A fault names the secret. */
function resealed(place: Place, id: string, reseal: () => string | null): string | null {
  try {
    return reseal();
  } catch (error) {
    if (!(error instanceof KeyFault)) throw error;
    if (place === pageBuilds) return null;
    const { table, column } = place;
    throw new KeyFault(`${error.message} (${table}.${column} of ${id})`, { cause: error });
  }
}

/** The sealed secrets of a place. */
async function* batchesOf(
  db: Kysely<Tables>,
  place: Place,
): AsyncGenerator<readonly { readonly id: string; readonly secret: string }[]> {
  const [id, column] = [sql.ref(`stored.${place.id}`), sql.ref(`stored.${place.column}`)];
  for (let after = ''; ;) {
    const { rows } = await sql<{ id: string; secret: string }>`
      select ${id} as id, ${column} as secret from ${sql.table(place.table)} as stored
      where ${id} > ${after} and ${column} like ${sealedPattern} order by ${id} limit ${batchSize}`.execute(
      db,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    yield rows;
  }
}

async function sealAll(trx: Transaction<Tables>, place: Place, box: SecretBox): Promise<void> {
  const [id, column] = [sql.ref(`stored.${place.id}`), sql.ref(`stored.${place.column}`)];
  for (;;) {
    const { rows } = await sql<{ id: string; secret: string }>`
      select ${id} as id, ${column} as secret from ${sql.table(place.table)} as stored
      where ${column} not like ${sealedPattern} limit ${batchSize}`.execute(trx);
    if (rows.length === 0) return;
    await replaceSecrets(
      trx,
      place,
      rows.map((row) => ({ ...row, sealed: box.seal(row.secret, place.ownerOf(row.id)) })),
    );
  }
}

interface Replacement {
  readonly id: string;
  readonly secret: string;
  readonly sealed: string;
}

async function replaceSecrets(
  db: Kysely<Tables>,
  place: Place,
  replacements: readonly Replacement[],
): Promise<void> {
  const [id, column] = [sql.ref(`stored.${place.id}`), sql.ref(`stored.${place.column}`)];
  const given = (key: keyof Replacement): readonly string[] => replacements.map((one) => one[key]);
  // Compared with the value that was read: another process may have replaced the secret.
  await sql`
    update ${sql.table(place.table)} as stored set ${sql.ref(place.column)} = given.sealed
    from unnest(${given('id')}::text[], ${given('secret')}::text[], ${given('sealed')}::text[])
      as given(id, secret, sealed)
    where ${id} = given.id and ${column} = given.secret`.execute(db);
}
