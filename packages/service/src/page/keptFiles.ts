import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, gzip } from 'node:zlib';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Tables } from '../core/database/tables.ts';
import { pageBuildOwner } from '../core/keys/sealStoredSecrets.ts';
import type { SecretBox } from '../platform/security/secretBox.ts';
import type { Logger } from '../platform/settings/options.ts';

/** Hashed files that a process serves itself: those of its build, or those of its themes. */
export interface ServedFiles {
  readonly part: 'build' | 'themes';
  /** The name of each file, and its content: as it is, and compressed by brotli if it is at hand. */
  readonly files: ReadonlyMap<string, { readonly content: Buffer; readonly br?: Buffer }>;
}

/** A file of another release, in every content coding that a browser may request. */
export interface KeptFile {
  /** SHA-256 of the content, base64url. */
  readonly hash: string;
  readonly identity: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** The hashed files of the last releases, in the database, so that each process can serve those of all. */
export interface KeptFiles {
  /**
   * Stores new files and marks their release as in use. Removes the files of releases that no process uses, except the last three. All in
   * one transaction, which one process runs at a time.
   */
  readonly keep: (served: ServedFiles) => Promise<void>;
  /** Finds a file, also of a release that has been stored just now; `null` if no kept release has it. */
  readonly find: (name: string) => Promise<KeptFile | null>;
}

/** How many releases are kept, and how many changes of the themes. */
const keptReleases = 3;
/** A running process marks its release as in use every hour. One of these writes may fail. */
const unusedHours = 3;
/** The largest file, bytes. What someone wrote into the database may decompress to more. */
const largestFile = 4 * 1024 * 1024;
/** The most that the cache holds, bytes. All files of two other releases have 4.3 MB. */
const largestCache = 8 * 1024 * 1024;
/** The least time between two looks at which releases are kept, ms, however many files are asked for that do not exist. */
const lookEveryMs = 250;
/** The id of the lock, unique in the database. */
const keepLock = 7_303_014_773;

interface Parts {
  readonly db: Kysely<Tables>;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
}

/**
 * Opens the store. Whoever can write to the database, and has no encryption key, cannot add a file: the list of a release has a seal, and
 * each file has the hash of the list.
 */
export function createKeptFiles({ db, secretBox, logger }: Parts): KeptFiles {
  const lists = createLists({ db, secretBox, logger });
  const read = createCache((hash) => readFile(db, hash, logger));
  const hashOf = (name: string): string | undefined => {
    for (const list of lists.known()) {
      const hash = list.get(name);
      if (hash !== undefined) return hash;
    }
    return undefined;
  };
  return {
    keep: (served) => store(db, secretBox, served),
    find: async (name) => {
      if (hashOf(name) === undefined) await lists.look();
      const hash = hashOf(name);
      return hash === undefined ? null : read(hash);
    },
  };
}

const digest = (content: Buffer | string): string => createHash('sha256').update(content).digest('base64url');

/** The id of a list of files does not depend on its order, which the database changes. */
const idOf = (part: string, list: Readonly<Record<string, string>>): string =>
  digest(JSON.stringify([part, ...Object.entries(list).sort(([one], [other]) => (one < other ? -1 : 1))]));

async function store(db: Kysely<Tables>, secretBox: SecretBox, { part, files }: ServedFiles): Promise<void> {
  if (files.size === 0) return;
  const contents = new Map([...files.values()].map((file) => [digest(file.content), file]));
  const list = Object.fromEntries([...files].map(([name, { content }]) => [name, digest(content)]));
  const tooLarge = [...files].find(([, { content }]) => content.length > largestFile);
  if (tooLarge !== undefined)
    throw new Error(`The file ${tooLarge[0]} of the page has more than ${String(largestFile)} bytes.`);
  const id = idOf(part, list);
  const seal = secretBox.seal(id, pageBuildOwner(id));
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${keepLock})`.execute(trx);
    const stored = await trx
      .selectFrom('page_files')
      .select('hash')
      .where(sql<boolean>`hash = any(${[...contents.keys()]}::text[])`)
      .execute();
    for (const { hash } of stored) contents.delete(hash);
    const compressed = await Promise.all(
      Array.from(contents.values(), async ({ content, br }) => br ?? promisify(brotliCompress)(content)),
    );
    if (compressed.length > 0)
      await sql`insert into page_files (hash, content)
        select * from unnest(${[...contents.keys()]}::text[], ${compressed}::bytea[])`.execute(trx);
    await sql`insert into page_builds (id, part, files, seal, used_at)
      values (${id}, ${part}, ${JSON.stringify(list)}::jsonb, ${seal}, clock_timestamp())
      on conflict (id) do update
        set files = excluded.files, seal = excluded.seal, used_at = excluded.used_at`.execute(trx);
    await removeFormer(trx);
  });
}

/** Removes old releases, in the order of their last use. */
async function removeFormer(trx: Kysely<Tables>): Promise<void> {
  await sql`delete from page_builds where id in (
    select id from (
      select id, used_at, row_number() over (partition by part order by used_at desc) as place from page_builds
    ) as placed where place > ${keptReleases} and used_at < now() - make_interval(hours => ${unusedHours}))`.execute(
    trx,
  );
  await sql`delete from page_files where hash not in (
    select listed.value from page_builds, jsonb_each_text(files) as listed)`.execute(trx);
}

type List = ReadonlyMap<string, string>;

/** Knows the hashes of the files of all kept releases, by their name. */
function createLists({ db, secretBox, logger }: Parts): {
  readonly known: () => Iterable<List>;
  /** Looks which releases are kept, with what was stored before the call. */
  readonly look: () => Promise<void>;
} {
  let lists: ReadonlyMap<string, List> = new Map();
  let lastLookAt = -Infinity;
  let next: Promise<void> | undefined;
  const ignored = new Set<string>();
  const readList = async (id: string): Promise<List | null> => {
    const row = await db
      .selectFrom('page_builds')
      .select(['part', 'files', 'seal'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return null;
    if (isGenuine(secretBox, { id, ...row })) return new Map(Object.entries(row.files));
    if (!ignored.has(id))
      logger.warn('the files of a release are ignored: their list has no valid seal', { build: id });
    ignored.add(id);
    return null;
  };
  const look = async (): Promise<void> => {
    await pause(Math.max(0, lastLookAt + lookEveryMs - performance.now()));
    // Who comes later may ask for what is stored later.
    next = undefined;
    lastLookAt = performance.now();
    const kept = await db.selectFrom('page_builds').select('id').orderBy('used_at', 'desc').execute();
    const read = await Promise.all(
      kept.map(async ({ id }) => [id, lists.get(id) ?? (await readList(id))] as const),
    );
    lists = new Map(read.flatMap(([id, list]) => (list === null ? [] : [[id, list] as const])));
  };
  return { known: () => lists.values(), look: () => (next ??= look()) };
}

function isGenuine(
  secretBox: SecretBox,
  { id, part, files, seal }: Pick<Selectable<Tables['page_builds']>, 'id' | 'part' | 'files' | 'seal'>,
): boolean {
  try {
    return idOf(part, files) === id && secretBox.open(seal, pageBuildOwner(id)) === id;
  } catch {
    // It is no list, or was sealed with a key that this process does not have, or not at all.
    return false;
  }
}

async function readFile(db: Kysely<Tables>, hash: string, logger: Logger): Promise<KeptFile | null> {
  const row = await db.selectFrom('page_files').select('content').where('hash', '=', hash).executeTakeFirst();
  if (row === undefined) return null;
  const identity = await promisify(brotliDecompress)(row.content, { maxOutputLength: largestFile }).catch(
    () => null,
  );
  if (identity === null || digest(identity) !== hash) {
    logger.warn('a file of the page is ignored: it does not have its hash', { hash });
    return null;
  }
  return { hash, identity, br: row.content, gzip: await promisify(gzip)(identity) };
}

/** Keeps what was read last. What is not there is not kept. */
function createCache(read: (hash: string) => Promise<KeptFile | null>): typeof read {
  const files = new Map<string, KeptFile>();
  const reading = new Map<string, Promise<KeptFile | null>>();
  let bytes = 0;
  const sizeOf = ({ identity, br, gzip }: KeptFile) => identity.length + br.length + gzip.length;
  const add = (file: KeptFile): void => {
    files.set(file.hash, file);
    bytes += sizeOf(file);
    for (const [hash, oldest] of files) {
      if (bytes <= largestCache) return;
      files.delete(hash);
      bytes -= sizeOf(oldest);
    }
  };
  return (hash) => {
    const found = files.get(hash);
    if (found !== undefined) {
      files.delete(hash);
      files.set(hash, found);
      return Promise.resolve(found);
    }
    const underWay =
      reading.get(hash) ??
      read(hash)
        .then((file) => {
          if (file !== null) add(file);
          return file;
        })
        .finally(() => reading.delete(hash));
    reading.set(hash, underWay);
    return underWay;
  };
}
