/** @jest-environment node */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connect, type Database } from '../../service/database/connect';
import { recordingLogger } from './support/recordingLogger';

describe('the embedded database', () => {
  let database: Database;
  beforeAll(async () => {
    database = await connect({ folder: null }, recordingLogger().logger);
  });
  afterAll(async () => {
    await database.close();
  });

  it('leaves the thread that answers calls free during a query', async () => {
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    const { rows } = await sql<{ sum: string }>`select sum(n) from generate_series(1, 3000000) n`.execute(
      database.db,
    );
    clearInterval(counting);
    expect(rows).toEqual([{ sum: '4500001500000' }]);
    expect(turns).toBeGreaterThan(10);
  });

  it('says what was wrong with a statement as a server does, and goes on', async () => {
    const failing = sql`select 1 / 0`.execute(database.db);
    await expect(failing).rejects.toMatchObject({
      message: 'division by zero',
      code: '22012',
      severity: 'ERROR',
    });
    await expect(failing).rejects.toBeInstanceOf(Error);
    expect((await sql`select ${'a'}::text as b`.execute(database.db)).rows).toEqual([{ b: 'a' }]);
  });

  it('says why it cannot be opened, and gives its folder back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'embedded-'));
    mkdirSync(join(folder, 'database'));
    writeFileSync(join(folder, 'database', 'PG_VERSION'), 'none');
    try {
      await expect(connect({ folder }, recordingLogger().logger)).rejects.toThrow();
      expect(readdirSync(folder)).toEqual(['database']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
