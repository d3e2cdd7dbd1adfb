import type { Tables } from '../src/core/database/tables.ts';
import { connect, type Database } from '../src/platform/database/connect.ts';
import { advisoryLock } from '../src/platform/database/advisoryLock.ts';
import { newDatabase } from './support/postgres.ts';
import { recordingLogger } from './support/recordingLogger.ts';

describe('housekeeping of several processes', () => {
  let one: Database<Tables>;
  let other: Database<Tables>;
  let done: string[];

  const note = (what: string) => (): Promise<void> => {
    done.push(what);
    return Promise.resolve();
  };

  beforeEach(async () => {
    done = [];
    const url = await newDatabase();
    one = await connect<Tables>({ url }, recordingLogger().logger);
    other = await connect<Tables>({ url }, recordingLogger().logger);
  });
  afterEach(async () => {
    await one.close();
    await other.close();
  });

  it('is done by one of them at a time', async () => {
    await advisoryLock(one.db, async () => {
      await advisoryLock(other.db, note('meanwhile'));
      done.push('first');
    });
    await advisoryLock(other.db, note('later'));
    expect(done).toEqual(['first', 'later']);
  });

  it('is left to the others after it failed', async () => {
    const failing = advisoryLock(one.db, () => Promise.reject(new Error('disk full')));
    await expect(failing).rejects.toThrow('disk full');
    await advisoryLock(other.db, note('other'));
    expect(done).toEqual(['other']);
  });
});
