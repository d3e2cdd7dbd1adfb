import { Migrator } from 'kysely';
import type { Tables } from '../../src/core/database/tables.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { migrations } from '../../src/slots.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { recordingLogger } from '../support/recordingLogger.ts';
import { environmentOf, vestibule, vestibuleProcess } from '../support/vestibule.ts';

const names = Object.keys(migrations);
const newest = [...names].sort().at(-1) ?? '';

describe('vestibule migrate', () => {
  let variables: Readonly<Record<string, string>>;

  /** A database as the release before left it. */
  beforeAll(async () => {
    const url = await emptyDatabase();
    const { db, close } = await connect<Tables>({ url }, recordingLogger().logger);
    const former = Object.fromEntries(Object.entries(migrations).filter(([name]) => name !== newest));
    await new Migrator({
      db,
      provider: { getMigrations: () => Promise.resolve(former) },
    }).migrateToLatest();
    await close();
    variables = environmentOf(url);
  });

  it('is required by a process and a command of a newer release, which do not migrate by themselves', async () => {
    const reason = `The database lacks ${newest} of this release: run \`vestibule migrate\` first.`;
    const process = await vestibuleProcess({ ...variables, PORT: '0' }, ['serve']);
    expect(process.status).toBe(1);
    const lines = process.stdout.trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 'error', event: 'start failed', reason });
    const command = await vestibuleProcess(variables, ['accounts', 'list']);
    expect([command.status, command.stderr.trim()]).toEqual([1, reason]);
  });

  it('brings the schema up to date, says what it did, and does nothing the second time', async () => {
    const events = ({ stdout }: { readonly stdout: string }) =>
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
    const first = await vestibule(variables, ['migrate']);
    expect(first.status).toBe(0);
    expect(events(first)).toMatchObject([
      { event: 'migrated', migration: newest },
      { event: 'the schema is up to date' },
    ]);
    expect(events(await vestibule(variables, ['migrate']))).toMatchObject([
      { event: 'the schema is up to date' },
    ]);
    expect((await vestibule(variables, ['accounts', 'list'])).status).toBe(0);
  });

  it('fills an empty database, also twice at once', async () => {
    const empty = { ...variables, DATABASE_URL: await emptyDatabase() };
    const both = await Promise.all([
      vestibuleProcess(empty, ['migrate']),
      vestibuleProcess(empty, ['migrate']),
    ]);
    expect(both.map(({ stderr }) => stderr)).toEqual(['', '']);
    const done = both.flatMap(({ stdout }) => stdout.match(/"migration":"\w+"/g) ?? []);
    expect(done).toHaveLength(names.length);
  });
});
