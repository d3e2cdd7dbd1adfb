import { sql, type Kysely, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { sealedPrefix, type SecretBox } from './secretBox.ts';
import { lockKeys, rsaKeyOwner, signingKeyOwner } from './signingKeys.ts';

/** A column of secrets that must be readable, and what each of them is bound to. */
interface Place {
  readonly table: 'signing_keys' | 'mfa_factors' | 'mfa_enrolments' | 'outbox_messages';
  readonly column: string;
  readonly id: string;
  readonly ownerOf: (id: string) => string;
}

/** The owner for which a message of the outbox is sealed. */
export function messageOwner(id: string): string {
  return `message ${id}`;
}

const signingKeys: Place = {
  table: 'signing_keys',
  column: 'private_key',
  id: 'kid',
  ownerOf: signingKeyOwner,
};
const otherSecrets: readonly Place[] = [
  { table: 'signing_keys', column: 'rsa_key', id: 'kid', ownerOf: rsaKeyOwner },
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
 *
 * First one sealed secret of each kind is opened, so that a wrong key is detected before secrets are sealed with it.
 *
 * @throws Error if the key is missing, or does not match the stored secrets.
 */
export async function sealStoredSecrets(db: Kysely<Tables>, box: SecretBox): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    // A service runs without its RSA keys.
    const needed = otherSecrets.filter(({ column }) => column !== 'rsa_key');
    for (const place of [signingKeys, ...needed]) await openOne(trx, place, box);
    if (!box.hasKey) return;
    await trx.deleteFrom('signing_keys').where('private_key', 'not like', sealedPattern).execute();
    // The keys that are left are sealed.
    const isFirstStart =
      (await trx.selectFrom('signing_keys').select('kid').executeTakeFirst()) === undefined;
    if (!isFirstStart) return;
    for (const place of otherSecrets) await sealAll(trx, place, box);
  });
}

/**
 * Seals secrets again that another key than the first has sealed, in batches, so that no call waits. Several
 * processes may do so at once.
 *
 * @returns how many secrets were sealed again; 0: the first key opens all of them, and the others can be removed.
 * @throws Error if none of the keys opens a secret.
 */
export async function resealStoredSecrets(db: Kysely<Tables>, box: SecretBox): Promise<number> {
  if (!box.hasKey) return 0;
  let count = 0;
  for (const place of [signingKeys, ...otherSecrets]) count += await resealAll(db, place, box);
  return count;
}

async function resealAll(db: Kysely<Tables>, place: Place, box: SecretBox): Promise<number> {
  const [id, column] = [sql.ref(`stored.${place.id}`), sql.ref(`stored.${place.column}`)];
  let [count, after] = [0, ''];
  for (;;) {
    const { rows } = await sql<{ id: string; secret: string }>`
      select ${id} as id, ${column} as secret from ${sql.table(place.table)} as stored
      where ${id} > ${after} and ${column} like ${sealedPattern} order by ${id} limit ${batchSize}`.execute(
      db,
    );
    const last = rows.at(-1);
    if (last === undefined) return count;
    after = last.id;
    const changed = rows.flatMap(({ id: one, secret }) => {
      const sealed = box.reseal(secret, place.ownerOf(one));
      return sealed === null ? [] : [{ id: one, secret, sealed }];
    });
    await replaceSecrets(db, place, changed);
    count += changed.length;
  }
}

async function openOne(trx: Transaction<Tables>, place: Place, box: SecretBox): Promise<void> {
  const { rows } = await sql<{ id: string; secret: string }>`
    select ${sql.ref(place.id)} as id, ${sql.ref(place.column)} as secret from ${sql.table(place.table)}
    where ${sql.ref(place.column)} like ${sealedPattern} limit 1`.execute(trx);
  for (const { id, secret } of rows) box.open(secret, place.ownerOf(id));
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
