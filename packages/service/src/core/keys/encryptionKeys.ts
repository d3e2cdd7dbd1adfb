import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { sql, type Kysely, type Transaction } from 'kysely';
import { anyOf } from '../../platform/database/anyOf.ts';
import type { Tables } from '../database/tables.ts';
import type { Logger } from '../../platform/settings/options.ts';
import { KeyFault, type SecretBox } from '../../platform/security/secretBox.ts';
import { openStoredSecrets, sealPlaintext } from './sealStoredSecrets.ts';
import { lockKeys } from './signingKeys.ts';

/** How often a process gives a sign of life. */
export const signOfLifeMilliseconds = 5_000;
/** A process that was killed, or has lost the database, counts as running for this time. */
const aliveSeconds = 60;

/** The encryption keys of this process, and what it knows of those of other processes. */
export interface EncryptionKeys {
  /** Whether this process has every key with which secrets may be sealed. */
  readonly isComplete: () => boolean;
  /** Gives a sign of life, and seals with the first key if every process that runs has it now. */
  readonly renew: () => Promise<void>;
  /** The names of the processes that lack the first key of this process; if none does, of those that still seal with another one. */
  readonly withoutFirstKey: () => Promise<readonly string[]>;
  /** This process ends. */
  readonly leave: () => Promise<void>;
}

/**
 * Registers this process, and checks its keys against the stored secrets, which it seals at the first start with a key.
 *
 * A process seals with its first key that is in use, or that every process that runs has. That puts the key in use, under the same lock under
 * which processes start, and no process starts without a key in use. So every process opens what others seal, in whatever order
 * machines get a new key.
 *
 * @throws KeyFault if a key is missing, or does not match the stored secrets.
 */
export async function openEncryptionKeys(
  db: Kysely<Tables>,
  box: SecretBox,
  logger: Logger,
): Promise<EncryptionKeys> {
  const id = randomUUID();
  const locked = <Result>(work: (trx: Transaction<Tables>) => Promise<Result>): Promise<Result> =>
    db.transaction().execute(async (trx) => {
      await lockKeys(trx);
      return work(trx);
    });
  await locked(async (trx) => {
    await checkStart(trx, box);
    if (!box.hasKey) return;
    box.sealWith((await register(trx, id, box)).sealing);
    await sealPlaintext(trx, box);
  });
  if (!box.hasKey) return unregistered;
  let isComplete = true;
  const renew = async (): Promise<void> => {
    const { sealing, missing } = await locked((trx) => register(trx, id, box));
    // After the commit that puts the key in use.
    box.sealWith(sealing);
    if (isComplete && missing.length > 0)
      logger.error('encryption key missing: another process encrypts with it', { keyIds: missing.join(' ') });
    isComplete = missing.length === 0;
  };
  return {
    isComplete: () => isComplete,
    renew,
    withoutFirstKey: async () => {
      await renew();
      const [first = ''] = box.keyIds;
      const others = await db
        .selectFrom('processes')
        .selectAll()
        .where('id', '!=', id)
        .orderBy('name')
        .execute();
      const lacking = others.filter(({ encryption_keys: keys }) => !keys.includes(first));
      const behind = lacking.length > 0 ? lacking : others.filter(({ sealing_key: key }) => key !== first);
      return behind.map(({ name }) => name);
    },
    leave: async () => {
      await db.deleteFrom('processes').where('id', '=', id).execute();
    },
  };
}

/** Those of a process without encryption keys, or that is only tried. */
export const unregistered: EncryptionKeys = {
  isComplete: () => true,
  renew: () => Promise.resolve(),
  withoutFirstKey: () => Promise.resolve([]),
  leave: () => Promise.resolve(),
};

/** Processes that run, without those that have died. */
async function processesOf(trx: Transaction<Tables>) {
  await sql`delete from processes where seen_at < now() - make_interval(secs => ${aliveSeconds})`.execute(
    trx,
  );
  return trx.selectFrom('processes').select(['id', 'name', 'encryption_keys', 'sealing_key']).execute();
}

async function keysInUse(trx: Transaction<Tables>): Promise<readonly string[]> {
  return (await trx.selectFrom('encryption_keys').select('id').execute()).map(({ id }) => id);
}

/**
 * A key that this process lacks is no longer in use if no process seals with it and the other keys open every secret. If this process has
 * every key in use, it opens no secret: a secret that does not open is then damaged, which concerns only its owner.
 */
async function checkStart(trx: Transaction<Tables>, box: SecretBox): Promise<void> {
  const inUse = await keysInUse(trx);
  const missing = inUse.filter((key) => !box.keyIds.includes(key));
  if (inUse.length > 0 && missing.length === 0) return;
  const isUnknown = inUse.length === 0 && box.keyIds.length > 1;
  const found = await openStoredSecrets(trx, box, isUnknown || missing.length > 0 ? 'all' : 'some');
  const sealing = (await processesOf(trx)).find(({ sealing_key: key }) => missing.includes(key));
  if (sealing !== undefined)
    throw new KeyFault(
      `The process ${sealing.name} encrypts with a key that encryptionKey (ENCRYPTION_KEY) does not have.`,
    );
  if (missing.length > 0) await trx.deleteFrom('encryption_keys').where('id', '=', anyOf(missing)).execute();
  if (isUnknown) await putInUse(trx, [...found]);
}

async function putInUse(trx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .insertInto('encryption_keys')
    .values(ids.map((id) => ({ id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Writes the sign of life. @returns the key that seals, and the keys in use that this process lacks. */
async function register(
  trx: Transaction<Tables>,
  id: string,
  box: SecretBox,
): Promise<{ readonly sealing: string; readonly missing: readonly string[] }> {
  const inUse = await keysInUse(trx);
  const others = (await processesOf(trx)).filter((other) => other.id !== id);
  const [first = ''] = box.keyIds;
  const sealing =
    box.keyIds.find(
      (key) => inUse.includes(key) || others.every((other) => other.encryption_keys.includes(key)),
    ) ?? first;
  await putInUse(trx, [sealing]);
  const row = { encryption_keys: [...box.keyIds], sealing_key: sealing, seen_at: sql<Date>`now()` };
  await trx
    .insertInto('processes')
    .values({ id, name: `${hostname()} ${process.pid}`, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
  return { sealing, missing: inUse.filter((key) => !box.keyIds.includes(key)) };
}
