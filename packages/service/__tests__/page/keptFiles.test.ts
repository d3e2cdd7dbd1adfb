import type { Tables } from '../../src/core/database/tables.ts';
/** Tests keptFiles, builtFiles and sendKeptFile. */
import { createServer, request, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { readDeployment } from '../../src/deployment.ts';
import { filesOfBuild, filesOfThemes } from '../../src/page/builtFiles.ts';
import { createKeptFiles, type KeptFiles, type ServedFiles } from '../../src/page/keptFiles.ts';
import { builtPage, createPageHost } from '../../src/page/pageHost.ts';
import { connect, type Database } from '../../src/platform/database/connect.ts';
import { resealStoredSecrets } from '../../src/core/keys/sealStoredSecrets.ts';
import { createSecretBox } from '../../src/platform/security/secretBox.ts';
import { silentLogger } from '../../src/platform/settings/options.ts';
import { newDatabase } from '../support/postgres.ts';
import { recordingLogger } from '../support/recordingLogger.ts';
import {
  createTestDeployment,
  writeSmallBuild,
  type TestDeployment,
  responseTo,
} from '../support/testDeployment.ts';

const newKey = (): string => randomBytes(32).toString('base64');
const key = newKey();
let database: Database<Tables>;
const log = recordingLogger();

beforeEach(async () => {
  database = await connect<Tables>({ url: await newDatabase() }, silentLogger);
});
afterEach(() => database.close());

/** What a process of its own knows. */
const processWith = (keys: string | undefined = key): KeptFiles =>
  createKeptFiles({ db: database.db, secretBox: createSecretBox(keys), logger: log.logger });
const release = (name: string, shared = 'shared'): ServedFiles => ({
  part: 'build',
  files: new Map([
    [`app.${name}.js`, { content: Buffer.from(`release ${name}`) }],
    ['shared.0123abcd.js', { content: Buffer.from(shared) }],
  ]),
});
const textOf = async (process: KeptFiles, name: string): Promise<string | null> =>
  (await process.find(name))?.identity.toString() ?? null;
const rows = async () => {
  const { db } = database;
  return {
    builds: (await db.selectFrom('page_builds').select('id').execute()).length,
    files: (await db.selectFrom('page_files').select('hash').execute()).length,
  };
};

/** Moves the last use of each release into the past. */
const unused = (hours: number) =>
  database.db
    .updateTable('page_builds')
    .set({ used_at: sql<Date>`used_at - make_interval(hours => ${hours})` })
    .execute();
const keepEach = async (process: KeptFiles, releases: readonly ServedFiles[]): Promise<void> => {
  for (const one of releases) {
    await unused(3);
    await process.keep(one);
  }
};

/** How often the database is asked in the meantime. */
const asked = (): (() => number) => {
  const spy = jest.spyOn(database.db, 'selectFrom');
  return () => spy.mock.calls.length;
};

describe('The files of the page', () => {
  it('of the former and the next release are found by processes of either, as soon as they are stored', async () => {
    const [former, next] = [processWith(), processWith()];
    await former.keep(release('1'));
    expect(await textOf(former, 'app.2.js')).toBeNull();
    await next.keep(release('2'));
    expect(await textOf(former, 'app.2.js')).toBe('release 2');
    expect(await textOf(next, 'app.1.js')).toBe('release 1');
    const kept = await former.find('app.2.js');
    expect(brotliDecompressSync(kept?.br ?? '').toString()).toBe('release 2');
    expect(gunzipSync(kept?.gzip ?? '').toString()).toBe('release 2');
  });

  it('are stored once where they are equal, and those of the last three releases are kept', async () => {
    const one = processWith();
    await keepEach(
      one,
      ['1', '2', '3'].map((name) => release(name)),
    );
    expect(await rows()).toEqual({ builds: 3, files: 4 });
    await keepEach(one, [release('4')]);
    expect(await rows()).toEqual({ builds: 3, files: 4 });
    const fresh = processWith();
    expect(await textOf(fresh, 'app.1.js')).toBeNull();
    for (const name of ['2', '3', '4']) expect(await textOf(fresh, `app.${name}.js`)).toBe(`release ${name}`);
  });

  it('stay while a process of their release runs, and after a rollback to it', async () => {
    const one = processWith();
    await keepEach(
      one,
      ['1', '2', '3', '1', '4'].map((name) => release(name)),
    );
    const fresh = processWith();
    expect(await textOf(fresh, 'app.1.js')).toBe('release 1');
    expect(await textOf(fresh, 'app.2.js')).toBeNull();
  });

  it('of a release that a process uses are kept, even if many releases follow within two hours', async () => {
    const one = processWith();
    await one.keep(release('1'));
    await unused(2);
    for (const name of ['2', '3', '4', '5']) await one.keep(release(name));
    expect(await textOf(processWith(), 'app.1.js')).toBe('release 1');
    await keepEach(one, [release('6')]);
    expect(await rows()).toEqual({ builds: 3, files: 4 });
  });

  it('are found with only the new encryption key, after everything was sealed with it', async () => {
    const next = newKey();
    await processWith().keep(release('1'));
    const foreign = createSecretBox(newKey()).seal('x', 'x');
    await sql`insert into page_builds (id, part, files, seal) values ('foreign', 'build', '{}', ${foreign})`.execute(
      database.db,
    );
    expect(await resealStoredSecrets(database.db, createSecretBox(`${next} ${key}`))).toBe(1);
    expect(await resealStoredSecrets(database.db, createSecretBox(`${next} ${key}`))).toBe(0);
    expect(await textOf(processWith(next), 'app.1.js')).toBe('release 1');
  });

  it('of themes are kept beside those of builds, and their changes remove no release', async () => {
    const one = processWith();
    await one.keep(release('1'));
    for (const color of ['red', 'green', 'blue', 'black']) {
      const files = {
        [`/assets/logo.0a${color}.svg`]: { type: 'image/svg+xml', content: Buffer.from(color) },
      };
      await keepEach(one, [filesOfThemes({ files, addresses: {} })]);
    }
    await one.keep(filesOfThemes({ files: {}, addresses: {} }));
    expect(await rows()).toEqual({ builds: 4, files: 5 });
    const fresh = processWith();
    expect(await textOf(fresh, 'app.1.js')).toBe('release 1');
    expect(await textOf(fresh, 'logo.0ablack.svg')).toBe('black');
    expect(await textOf(fresh, 'logo.0ared.svg')).toBeNull();
  });

  it('are stored once by processes that start at once', async () => {
    await Promise.all(['1', '1', '2', '2', '1', '2'].map((name) => processWith().keep(release(name))));
    expect(await rows()).toEqual({ builds: 2, files: 3 });
  });

  it('are stored whole or not at all, and are completed where one was lost', async () => {
    const one = processWith();
    const tooLarge = { part: 'build', files: new Map([['a.1.js', { content: Buffer.alloc(5_000_000) }]]) };
    await expect(one.keep(tooLarge as ServedFiles)).rejects.toThrow('a.1.js');
    const constraint = (change: string) => sql.raw(`alter table page_builds ${change}`).execute(database.db);
    await constraint(`add constraint disk_full check (part <> 'build')`);
    await expect(one.keep(release('1'))).rejects.toThrow('disk_full');
    expect(await rows()).toEqual({ builds: 0, files: 0 });
    await constraint('drop constraint disk_full');
    await one.keep(release('1'));
    await database.db.deleteFrom('page_files').execute();
    await one.keep(release('1'));
    expect(await textOf(processWith(), 'app.1.js')).toBe('release 1');
  });

  it('are read once', async () => {
    await processWith().keep(release('1'));
    const reader = processWith();
    const count = asked();
    await Promise.all([1, 2, 3].map(() => reader.find('app.1.js')));
    await reader.find('app.1.js');
    // Which releases there are, the list of one, and the file.
    expect(count()).toBe(3);
  });

  it('that do not exist cost the database four statements a second at most, however many are asked for', async () => {
    const reader = processWith();
    await reader.find('warm.0123abcd.js');
    const count = asked();
    const begun = performance.now();
    await Promise.all(
      Array.from({ length: 2_000 }, (_one, index) => reader.find(`no.${String(index).padStart(8, '0')}.js`)),
    );
    for (let index = 0; index < 4; index += 1) await reader.find('no.0123abcd.js');
    expect(count()).toBeLessThanOrEqual(Math.floor((performance.now() - begun) / 250) + 1);
  });
});

describe('Someone who can write to the database, without the encryption key,', () => {
  const evil = { 'app.1.js': 'evil' };

  it.each([
    ['adds a release without a seal', undefined],
    ['adds one that is sealed with another key', newKey()],
  ])('%s: the release is ignored, with a warning in the log', async (_what, other) => {
    const victim = processWith();
    await victim.keep(release('1'));
    await createKeptFiles({
      db: database.db,
      secretBox: createSecretBox(other),
      logger: silentLogger,
    }).keep(release('2'));
    expect(await textOf(victim, 'app.2.js')).toBeNull();
    expect(await textOf(victim, 'app.1.js')).toBe('release 1');
    expect(log.entries().at(-1)?.event).toContain('no valid seal');
  });

  it('cannot change a list, or the content of a file', async () => {
    const victim = processWith();
    await victim.keep(release('1'));
    const { db } = database;
    await db
      .updateTable('page_files')
      .set({ content: brotliCompressSync('evil') })
      .execute();
    expect(await textOf(victim, 'app.1.js')).toBeNull();
    await db
      .updateTable('page_files')
      .set({ content: brotliCompressSync(Buffer.alloc(50_000_000)) })
      .execute();
    expect(await textOf(victim, 'app.1.js')).toBeNull();
    for (const list of [evil, null]) {
      await db
        .updateTable('page_builds')
        .set({ files: JSON.stringify(list) })
        .execute();
      expect(await textOf(processWith(), 'app.1.js')).toBeNull();
    }
  });

  it('cannot pass the seal of a release on to another one', async () => {
    const victim = processWith();
    await victim.keep(release('1'));
    const { db } = database;
    await createKeptFiles({ db, secretBox: createSecretBox(undefined), logger: silentLogger }).keep(
      release('2'),
    );
    const { seal } = await db
      .selectFrom('page_builds')
      .select('seal')
      .where('seal', 'like', 'v1.%')
      .executeTakeFirstOrThrow();
    await db.updateTable('page_builds').set({ seal }).execute();
    const fresh = processWith();
    expect(await textOf(fresh, 'app.2.js')).toBeNull();
    expect(await textOf(fresh, 'app.1.js')).toBe('release 1');
  });
});

it('A release that was sealed with a former key is served while the key is known', async () => {
  await processWith().keep(release('1'));
  expect(await textOf(processWith(`${newKey()},${key}`), 'app.1.js')).toBe('release 1');
  expect(await textOf(processWith(newKey()), 'app.1.js')).toBeNull();
});

describe('A process of another release serves a file', () => {
  let deployment: TestDeployment;
  let folder: string;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    deployment = await createTestDeployment();
  });
  afterAll(() => {
    deployment.remove();
  });
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'vestibule-kept-'));
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    rmSync(folder, { recursive: true });
  });

  /** A host of the page on a port. */
  const serve = async (build: string, keptFiles: Pick<KeptFiles, 'find'>): Promise<number> => {
    const { page: config } = readDeployment(deployment.deployment);
    const host = await createPageHost({ config, source: builtPage(build, config), keptFiles });
    const server = createServer((asking, response) => {
      host.routing(asking, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)), host.close);
    return (server.address() as AddressInfo).port;
  };
  const ask = (port: number, target: string, headers: OutgoingHttpHeaders = {}, method = 'GET') =>
    responseTo(
      request({
        host: '127.0.0.1',
        port,
        path: target,
        method,
        headers: { 'sec-fetch-mode': 'no-cors', ...headers },
      }),
    );

  const contents = {
    js: 'console.log(1);',
    css: 'p{}',
    json: '{}',
    svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    png: 'png',
    woff2: 'woff2',
  };

  /** A build with a file of each kind, and its name. */
  const builds = async () => {
    const [own, other] = [path.join(folder, 'own'), path.join(folder, 'other')];
    for (const build of [own, other]) writeSmallBuild(build);
    for (const [ending, content] of Object.entries(contents))
      writeFileSync(path.join(own, `assets/page.0123abcd45.${ending}`), content);
    renameSync(path.join(other, 'assets/app.0123abcd.js'), path.join(other, 'assets/app.89abcdef.js'));
    const kept = processWith();
    await kept.keep(await filesOfBuild(own));
    return { own: await serve(own, kept), other: await serve(other, processWith()) };
  };

  it.each(Object.keys(contents))('.%s with the headers of its own release', async (ending) => {
    const { own, other } = await builds();
    const target = `/assets/page.0123abcd45.${ending}`;
    const [expected, found] = [await ask(own, target), await ask(other, target)];
    const { etag, 'last-modified': modified, date: _, ...headers } = expected.headers;
    expect([etag, modified]).toEqual([expect.any(String), expect.any(String)]);
    expect(found).toMatchObject({ status: 200, headers, body: expected.body });
  });

  it('of a theme as mails may show it', async () => {
    const { other } = await builds();
    const files = { '/assets/logo.0123abcd45.png': { type: 'image/png', content: Buffer.from('png') } };
    await processWith().keep(filesOfThemes({ files, addresses: {} }));
    expect(await ask(other, '/assets/logo.0123abcd45.png')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/png', 'cross-origin-resource-policy': 'cross-origin' },
    });
  });

  it.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
  ])('as %s in the coding %s', async (accepted, coding, decode) => {
    const { other } = await builds();
    const { headers, body } = await ask(other, '/assets/app.0123abcd.js', { 'accept-encoding': accepted });
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'content-length': String(body.length),
    });
    expect(headers['content-encoding']).toBe(coding);
    expect(decode(body).toString()).toBe('console.log(1);');
  });

  it.each<[string, OutgoingHttpHeaders, number, string]>([
    ['a range', { range: 'bytes=0-6' }, 206, 'console'],
    ['the end', { range: 'bytes=-3' }, 206, '1);'],
    ['the start', { range: 'bytes=12-' }, 206, '1);'],
    ['several ranges', { range: 'bytes=0-1,4-5' }, 200, 'console.log(1);'],
    ['no range', { range: 'lines=0-1' }, 200, 'console.log(1);'],
    ['a range beyond the end', { range: 'bytes=99999-' }, 416, ''],
    ['a range of another file', { range: 'bytes=0-6', 'if-range': '"other"' }, 200, 'console.log(1);'],
    ['what has changed', { 'if-none-match': '"other"' }, 200, 'console.log(1);'],
    ['what has not changed', { 'if-none-match': '*' }, 304, ''],
    ['another file', { 'if-match': '"other"' }, 412, ''],
  ])('to a request for %s as %j', async (_what, headers, status, body) => {
    const { other } = await builds();
    const found = await ask(other, '/assets/app.0123abcd.js', headers);
    expect([found.status, found.body.toString()]).toEqual([status, body]);
    expect(found.headers['content-security-policy']).toBeDefined();
    const isFailure = status === 416 || status === 412;
    expect(found.headers['cache-control']).toBe(
      isFailure ? 'no-store' : 'public, max-age=31536000, immutable',
    );
  });

  it('by its ETag, and HEAD without a body', async () => {
    const { other } = await builds();
    const head = await ask(other, '/assets/app.0123abcd.js', {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '15', 0]);
    const { etag } = head.headers as { readonly etag: string };
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`])
      expect((await ask(other, '/assets/app.0123abcd.js', { 'if-none-match': condition })).status).toBe(304);
    const range = { range: 'bytes=0-6', 'if-range': etag };
    expect((await ask(other, '/assets/app.0123abcd.js', range)).status).toBe(206);
  });

  it.each([
    'app.0123abce.js',
    'app.0123abcd.js.br',
    'app.0123abcd.js.map',
    '%61pp.0123abcd.js',
    '..%2findex.html',
  ])('but not %s: the response is an uncached 404', async (name) => {
    const { other } = await builds();
    const { status, headers, body } = await ask(other, `/assets/${name}`);
    expect([status, headers['cache-control'], body.toString()]).toEqual([404, 'no-store', 'Not found.\n']);
  });

  it('not while the database is away: 503', async () => {
    const { own } = await builds();
    const away = await serve(path.join(folder, 'own'), {
      find: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
    });
    expect((await ask(own, '/assets/app.0123abcd.js')).status).toBe(200);
    const { status, headers } = await ask(away, '/assets/gone.0123abcd.js');
    expect([status, headers['retry-after'], headers['cache-control']]).toEqual([503, '5', 'no-store']);
  });
});
